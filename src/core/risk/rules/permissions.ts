import { operands, option, optionValues } from '../args.ts';
import { isVital } from '../paths.ts';
import type { CommandRule } from '../types.ts';

const changers = ['chmod', 'chown', 'chgrp', 'chattr', 'setfacl', 'chflags', 'chcon', 'icacls', 'takeown'];

export const permissionRules: readonly CommandRule[] = [
  {
    id: 'permissions-vital',
    level: 'blocked',
    sentence:
      'Changes permissions or owners of the whole system, of home, or of a folder above the workspace.',
    names: changers,
    match(command, where) {
      const all = operands(command, '--reference --from');
      const target = all.find((arg) => isVital(arg.value, where));
      if (!target) return undefined;
      return option(command, 'R', 'recursive') || target.value === '/' ? target : undefined;
    },
  },
  {
    id: 'permissions-recursive',
    level: 'dangerous',
    sentence: 'Changes permissions or owners of a whole tree; what they were is not kept.',
    names: changers,
    match: (command) =>
      option(command, 'R', 'recursive') ??
      command.args.find((arg) => /^\/[tr]$/i.test(arg.value) && /icacls|takeown/.test(command.name)),
  },
  {
    id: 'permissions-open',
    level: 'dangerous',
    sentence: 'Lets everybody write, or lets a program run with the rights of its owner.',
    reversible: true,
    names: ['chmod', 'setcap', 'setfacl', 'umask', 'install', 'mkdir'],
    match(command) {
      if (command.name === 'setcap') return true;
      if (command.name === 'install' || command.name === 'mkdir')
        return optionValues(command, '-m', '--mode').find((arg) =>
          /^0?[2467][0-7]{3}$|[ug]*[+=][rwx]*s/.test(arg.value),
        );
      if (command.name !== 'chmod') return undefined;
      return operands(command).find(
        (arg) =>
          arg.value.length < 64 &&
          /^(?:[0-7]?[0-7][0-7][2367]|[2467][0-7]{3}|[ug]*[+=][rwxt]*s[rwxt]*|(?:[ug]*[oa][uoga]*|)[+=][rx]*w[rwx]*|.*,?[oa]+[+=][rx]*w\w*)$/.test(
            arg.value,
          ) &&
          !/^\+w$|^0?755$/.test(arg.value),
      );
    },
  },
  {
    id: 'permissions-system',
    level: 'dangerous',
    sentence: 'Changes permissions, owners or attributes of system files.',
    reversible: true,
    names: changers,
    match: (command) =>
      operands(command).find((arg) =>
        /^\/(?:etc|usr|bin|sbin|lib\w*|boot|dev|sys|proc|var\/(?!tmp|folders))(?:\/|$)/.test(arg.value),
      ),
  },
];
