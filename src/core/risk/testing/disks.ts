import type { Examples } from './examples.ts';

export const diskExamples: Examples = {
  'format-disk': {
    hits: [
      'mkfs.ext4 /dev/sda1',
      'sudo mkfs -t ext4 /dev/sdb',
      'wipefs -a /dev/sda',
      'blkdiscard /dev/nvme0n1',
      'shred /dev/sda',
      'sgdisk --zap-all /dev/sda',
      'cryptsetup luksFormat /dev/sda1',
    ],
    misses: ['mkfs.ext4 disk.img', 'shred notes', 'lsblk /dev/sda', 'man mkfs.ext4'],
  },
  'make-file-system': {
    hits: ['mkfs.ext4 disk.img', 'mkfs -t xfs disk.img', 'wipefs -a disk.img', 'swapoff -a'],
    misses: ['man mkfs', 'ls mkfs'],
  },
  'partition-disk': {
    hits: [
      'fdisk /dev/sda',
      'parted /dev/sda mklabel gpt',
      'cryptsetup luksClose /dev/sda1',
      'blockdev --setro /dev/sda',
      'zpool destroy tank',
    ],
    misses: ['fdisk -l', 'blockdev --report', 'partprobe /tmp/test.img', 'zpool list'],
  },
  'volume-removal': {
    hits: ['lvremove /dev/vg0/lv1', 'sudo vgremove vg0', 'pvremove -ff /dev/sda1'],
    misses: ['pvremove --test /dev/sda', 'lvs', 'vgdisplay'],
  },
  mount: {
    hits: ['mount /dev/sdb1 /mnt', 'mount -o remount,rw /', 'umount -l /data', 'mount --bind / /mnt'],
    misses: ['mount', 'mount -l', 'mount /tmp/test.img /mnt', 'diskutil list'],
  },
  dd: {
    hits: ['dd if=a of=b', 'sudo dd if=/dev/zero of=./f count=1', 'xargs dd'],
    misses: ['add a b', 'pv file'],
  },
};
