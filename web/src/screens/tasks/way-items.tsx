import { useNavigate } from '@tanstack/react-router';
import { mergedTo } from '@tasks';
import { askTask } from '../../api/ask-task.ts';
import { useTask } from '../../api/task-queries.ts';
import { waysShown } from '../../model/task-view.ts';
import type { MenuItem } from '../../ui/menu-item.ts';

/** What can be done about a task now, for a menu: what cannot be done yet is there, with its reason. */
export function useWayItems(id: string, wanted: boolean, onMerge: () => void): (MenuItem | null)[] {
  const navigate = useNavigate();
  const { data } = useTask(id, wanted);
  const open: MenuItem = {
    label: 'Open',
    hint: 'Enter',
    onSelect: () => void navigate({ to: '/tasks/$task', params: { task: id } }),
  };
  if (data === undefined)
    return [{ label: 'Looking where it can go…', disabled: true, onSelect: () => {} }, null, open];
  const isBusy = data.state.phases.some(({ status }) => status === 'active');
  const ways = isBusy
    ? [{ label: 'Stop the agent', onSelect: () => void askTask(id, { type: 'stop-requested' }) }]
    : waysShown(data).map(({ to, title, against }) => ({
        label: against === null ? title : `${title}: not yet, ${against}`,
        disabled: against !== null,
        onSelect: () => void askTask(id, { type: 'move-requested', to }),
      }));
  const merge = mergedTo(data.state) === null || isBusy ? [] : [{ label: 'Merge…', onSelect: onMerge }];
  const found = [...merge, ...ways];
  const nothing = { label: 'Nothing leads on from here', disabled: true, onSelect: () => {} };
  return [...(found.length === 0 ? [nothing] : found), null, open];
}
