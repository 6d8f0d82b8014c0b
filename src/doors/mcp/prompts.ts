import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';

const said = (text: string) => ({
  messages: [{ role: 'user' as const, content: { type: 'text' as const, text } }],
});
const run = z.object({ run: z.string().max(64).describe('The id of a run') });
const goalGiven = z.object({ goal: z.string().max(20_000).describe('What is wanted, in words') });

/** What a person may begin with: each names the tools that do it. */
export function addPrompts(server: McpServer): void {
  server.registerPrompt(
    'plan-a-goal',
    {
      title: 'Plan a goal',
      description: 'Have Planwright plan a goal and run it once you have agreed',
      argsSchema: goalGiven,
    },
    ({ goal }) =>
      said(
        `Call run with this goal, then attend_run with the id that it answers. Tell me what is asked of me and where I decide it; never decide yourself.\n\nGoal: ${goal}`,
      ),
  );
  server.registerPrompt(
    'mend-a-failure',
    {
      title: 'Mend a failure',
      description: 'Find out why a run failed, and what would mend it',
      argsSchema: run,
    },
    ({ run: id }) =>
      said(
        `Run ${JSON.stringify(id)} failed. Call watch_run with the step that failed for the end of its output, why, and diagnose_failure. Tell me the cause and the smallest correction; run nothing before I say so.`,
      ),
  );
  server.registerPrompt(
    'review-a-run',
    {
      title: 'Review a run',
      description: 'Say what a run did, and whether it can be taken back',
      argsSchema: run,
    },
    ({ run: id }) =>
      said(
        `Review run ${JSON.stringify(id)}: call watch_run with after 0, why, and preview_undo. Say in a few sentences what it did, what went wrong, what it changed beyond its folder, and what undo would not bring back.`,
      ),
  );
}
