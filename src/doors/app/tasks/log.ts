/** The name that what an agent says has among the output logs of its run. */
export const AGENT_LOG = 'agent';
