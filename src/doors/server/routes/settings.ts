import type { ChatState, Config, ConfigKey, RunState } from '../../../core/contract/index.ts';
import { describeRule, type PolicyRule } from '../../../core/risk/policy/index.ts';
import { checkKey, loadConfig, setConfig } from '../../app/config.ts';
import { findWorkspace } from '../../app/places.ts';
import { allowHere, loadRules, removeUserRule, replaceUserRules, userRulesText } from '../../app/rules.ts';
import { setTrust, trustedFolders } from '../../app/trust.ts';
import { configFields } from '../config-fields.ts';
import { HttpError } from '../http/errors.ts';
import type { Desk, Handlers } from './handler.ts';

type Names =
  | 'getConfig'
  | 'changeConfig'
  | 'getRules'
  | 'replaceRules'
  | 'allowHere'
  | 'removeRule'
  | 'getTrust'
  | 'changeTrust';

export function settingRoutes({ app, env, views }: Desk): Handlers<Names> {
  const { places } = app;
  const folder = (named: string | undefined) => findWorkspace(app.workspace, named);
  const configIn = (workspace: string) => {
    const { values, sources, untrusted } = loadConfig({ places, env, workspace });
    const fields = configFields();
    return { values, sources, untrusted, fields, workspace: app.workspace, host: app.driver.host };
  };
  const rulesIn = (workspace: string) => ({
    rules: loadRules({ places, workspace }).map(viewOf),
    file: places.rules,
    text: userRulesText(places),
  });
  return {
    getConfig: ({ query }) => configIn(folder(query.workspace)),
    async changeConfig({ body }) {
      const { set = {}, unset = [] } = body;
      const keys = [...Object.keys(set), ...unset].map(checkKey);
      for (const key of keys) await setConfig(places, key, unset.includes(key) ? null : textOf(set[key]));
      return configIn(app.workspace);
    },
    getRules: ({ query }) => rulesIn(folder(query.workspace)),
    async replaceRules({ body }) {
      await replaceUserRules(places, body.text);
      return rulesIn(app.workspace);
    },
    async allowHere({ body, asker }) {
      const { exact, redactor } = await views.any(body.stream);
      const { approvals, workspace } = exact as Pick<RunState | ChatState, 'approvals' | 'workspace'>;
      const approval = approvals.find(({ id }) => id === body.approvalId);
      if (approval === undefined)
        throw new HttpError(404, 'no-such-approval', 'nobody asks for such an approval');
      return {
        sentence: redactor.value(await allowHere(places, workspace, approval, Date.now(), asker.actor.door)),
      };
    },
    async removeRule({ params }) {
      if (await removeUserRule(places, params['id']!)) return {};
      throw new HttpError(404, 'no-such-rule', `there is no rule ${params['id']} in ${places.rules}`);
    },
    getTrust: () => ({ folders: trustedFolders(places) }),
    async changeTrust({ body }) {
      await setTrust(places, body.trusted ? folder(body.folder) : body.folder, body.trusted);
      return { folders: trustedFolders(places) };
    },
  };
}

/** As it would be typed: `setConfig` reads values from a command line. */
const textOf = (value: Config[ConfigKey] | undefined): string =>
  typeof value === 'string' ? value : JSON.stringify(value ?? null);

const viewOf = (rule: PolicyRule) => ({ ...rule, sentence: describeRule(rule) }) as never;
