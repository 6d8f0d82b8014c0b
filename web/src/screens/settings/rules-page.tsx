import { useQuery } from '@tanstack/react-query';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { attempt, say } from '../../api/ask.ts';
import { client, queries } from '../../api/client.ts';
import { ruleExample, ruleWords } from '../../model/rules.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Skeleton, Trouble } from '../../ui/notice.tsx';

export function RulesPage() {
  const { data, error, refetch } = useQuery({ queryKey: ['rules'], queryFn: () => client.getRules() });
  const [text, setText] = useState<string | null>(null);
  if (error !== null) return <Trouble error={error} retry={() => void refetch()} />;
  if (data === undefined) return <Skeleton rows={6} />;
  const remove = async (id: string) => {
    if ((await attempt(() => client.removeRule(id))) !== null)
      void queries.invalidateQueries({ queryKey: ['rules'] });
  };
  const save = async () => {
    const saved = await attempt(() => client.replaceRules({ text: text ?? '' }));
    if (saved === null) return;
    queries.setQueryData(['rules'], saved);
    setText(null);
    say('Rules saved');
  };
  return (
    <div className="p-4">
      <p className="mb-2 text-dim">Deny goes first, then ask, then allow. What is blocked stays blocked.</p>
      {data.rules.length === 0 ? (
        <p className="text-faint">No rules of your own: every dangerous step is asked about.</p>
      ) : null}
      <ul>
        {data.rules.map((rule) => (
          <li key={rule.id} className="flex min-h-9 items-center gap-3 border-b">
            <span className="mono w-12 self-start pt-2">{rule.effect}</span>
            <span className="min-w-0 flex-1 py-2 [overflow-wrap:anywhere]">
              <code className="mono">{ruleWords(rule).what}</code>
              <span className="block text-faint">{ruleWords(rule).detail}</span>
            </span>
            {rule.origin === 'user' ? (
              <IconButton label={`Remove the rule: ${rule.sentence}`} onClick={() => void remove(rule.id)}>
                <Trash2 size={14} />
              </IconButton>
            ) : null}
          </li>
        ))}
      </ul>
      <details className="mt-4" open={text !== null}>
        <summary className="text-dim">
          Your file, <code className="mono">{data.file}</code>
        </summary>
        <textarea
          aria-label="Rules"
          rows={10}
          spellCheck={false}
          placeholder={ruleExample}
          value={text ?? data.text}
          onChange={(event) => setText(event.target.value)}
          className="mono mt-2 w-full rounded-md border border-line-strong bg-bg p-2.5 placeholder:text-faint"
        />
        <Button look="primary" disabled={text === null || text === data.text} onClick={() => void save()}>
          Save the rules
        </Button>
      </details>
    </div>
  );
}
