import { expect, it } from 'vitest';
import { openBench } from '../support/cli.ts';
import { openOffice, planning, restating } from './models.ts';

it('killed while planning, resumed: the drafts are there, and no call is repeated in silence', async () => {
  const bench = openBench({ here: true });
  const good = planning(['RUN_COMMAND echo hello > out.txt']);
  const office = await openOffice({
    big: [planning(['SAY hello']), { never: true }, good],
    small: good,
    quick: [restating, { text: '- Use RUN_COMMAND.' }],
  });
  try {
    const running = bench.start(['run', 'greet the world', '--yes'], office.env);
    while (office.asked.filter(({ model }) => model === 'big').length < 2) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    running.child.kill('SIGKILL');
    await running.ended;
    const resumed = await bench.run(['resume'], office.env);
    const { stdout } = await bench.run(['show', '--events'], office.env);
    const events = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const of = (type: string) => events.filter((event) => event.type === type);
    expect(of('planner-call-failed')).toMatchObject([{ call: 'plan', n: 2, why: 'interrupted' }]);
    expect(of('draft-received').map(({ n }) => n)).toEqual([1, 2]);
    expect(of('goal-restated')).toHaveLength(1);
    expect(of('hints-given')).toHaveLength(1);
    expect(of('plan-created')).toHaveLength(1);
    expect(office.asked.map(({ model }) => model)).toEqual(['quick', 'big', 'quick', 'big', 'big']);
    expect(resumed.code).toBe(3);
  } finally {
    await office.close();
    bench.clean();
  }
});
