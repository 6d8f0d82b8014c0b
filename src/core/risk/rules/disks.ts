import { operands, option, optionValue } from '../args.ts';
import { isDisk } from '../paths.ts';
import type { Arg, CommandRule, SimpleCommand } from '../types.ts';

const device = (command: SimpleCommand): Arg | undefined =>
  command.args.find((arg) => isDisk(arg.value.replace(/^of=/, '')));
const partitioning =
  'xfs_admin e2label btrfstune ntfsfix ntfslabel fatlabel debugfs fdisk gdisk cgdisk sgdisk sfdisk cfdisk parted partprobe partx blockdev hdparm cryptsetup dump restore e2fsck fsck resize2fs tune2fs xfs_repair btrfs zfs zpool mdadm losetup badblocks wipefs blkdiscard nvme sg_format smartctl swapon swapoff mkswap'.split(
    ' ',
  );

export const diskRules: readonly CommandRule[] = [
  {
    id: 'format-disk',
    level: 'blocked',
    sentence: 'Makes a new file system on a disk, or wipes one; everything on it is lost.',
    names:
      'wipefs blkdiscard shred mkswap badblocks sgdisk mkfs mke2fs newfs diskutil cryptsetup sg_format nvme hdparm format'.split(
        ' ',
      ),
    match(command) {
      const named = device(command);
      switch (command.name) {
        case 'diskutil':
          return /^(?:erase|zero|secureErase|partitionDisk|reformat)/i.test(command.args[0]?.value ?? '');
        case 'cryptsetup':
          return /^(?:luksFormat|erase|luksErase)$/.test(operands(command)[0]?.value ?? '')
            ? named
            : undefined;
        case 'sgdisk':
          return option(command, 'zZo', 'zap', 'zap-all', 'clear') ? named : undefined;
        case 'nvme':
          return /^(?:format|sanitize|write)/.test(command.args[0]?.value ?? '');
        case 'hdparm':
          return command.args.find((arg) => /security-erase|trim-sector|make-bad/.test(arg.value));
        case 'badblocks':
          return option(command, 'w') ? named : undefined;
        case 'wipefs':
          return option(command, 'a', 'all') ? named : undefined;
        case 'format':
          return command.args.find((arg) => /^[A-Za-z]:/.test(arg.value));
        default:
          return named;
      }
    },
  },
  {
    id: 'make-file-system',
    level: 'dangerous',
    sentence: 'Makes or wipes a file system, or takes swap space away.',
    names: ['mkfs', 'mke2fs', 'newfs', 'mkswap', 'mkntfs', 'mkdosfs', 'wipefs', 'swapoff'],
    match: (command) => command.name !== 'wipefs' || option(command, 'ao', 'all', 'offset'),
  },
  {
    id: 'partition-disk',
    level: 'dangerous',
    sentence: 'Changes or opens a disk below its files: partitions, volumes, encryption, repair.',
    needs: ['privilege'],
    names: partitioning,
    match(command) {
      if (/^(?:zfs|zpool|btrfs|mdadm)$/.test(command.name)) {
        return command.args.find((arg) =>
          /^(?:destroy|rollback|offline|detach|remove|delete|--stop|--zero-superblock|--fail|--remove|-S|labelclear|clear|resize|balance|replace|create)$/.test(
            arg.value,
          ),
        );
      }
      if (command.name === 'losetup' && option(command, 'dDc', 'detach', 'detach-all')) return true;
      return (
        device(command) ?? command.args.find((arg) => /^\/dev\/(?!null|zero|stdin|stdout|fd)/.test(arg.value))
      );
    },
  },
  {
    id: 'volume-removal',
    level: 'dangerous',
    sentence: 'Removes or shrinks a logical volume, a volume group or a physical volume.',
    needs: ['privilege'],
    names:
      'lvremove vgremove pvremove lvreduce vgreduce lvconvert vgcfgrestore vgchange lvchange dmsetup multipath'.split(
        ' ',
      ),
    match: (command) =>
      !command.args.some((arg) =>
        /^(?:-t|--test|--help|ls|info|status|table|-ll?|-a?y|-ay|-ly)$/.test(arg.value),
      ),
  },
  {
    id: 'mount',
    level: 'dangerous',
    sentence: 'Mounts or unmounts a disk or a file system.',
    reversible: true,
    needs: ['privilege'],
    names: ['mount', 'umount', 'diskutil', 'hdiutil', 'pivot_root'],
    match(command) {
      if (command.name === 'umount') return command.args.length > 0;
      if (command.name === 'pivot_root') return true;
      if (command.name === 'diskutil')
        return (
          /^(?:mount|unmount|eject|apfs|addVolume|deleteVolume)/i.test(command.args[0]?.value ?? '') &&
          /unmountDisk|delete/i.test(command.args[0]?.value ?? '')
        );
      if (command.name === 'hdiutil') return undefined;
      return (
        device(command) ??
        command.args.find((arg) => /remount|^--?(?:bind|rbind|move|B|M)$|^\/dev\//.test(arg.value))
      );
    },
  },
  {
    id: 'dd',
    level: 'dangerous',
    sentence: 'Copies raw bytes over a file or a device with dd.',
    names: ['dd', 'dcfldd', 'ddrescue', 'pv'],
    match: (command) =>
      command.name === 'pv'
        ? optionValue(command, '-o', '--output')
        : command.args.some((arg) => !/^--(?:help|version)$/.test(arg.value)) || command.open,
  },
];
