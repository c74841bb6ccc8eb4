#!/bin/sh
# First process of the machine: `init.sh <root> <repository> <program> …`, in namespaces of its own (start-machine.mjs).
# Everything that is mounted here is gone with its last process, and nothing of it is seen outside.
set -eu
root=$1 repository=$2
shift 2
mount --make-rprivate /
mount --bind "$root" "$root"
mount -t proc proc "$root/proc"
mount --rbind /sys "$root/sys"
mount --rbind /dev "$root/dev"
mount -t tmpfs -o mode=755 tmpfs "$root/run"
mount -t tmpfs -o mode=1777 tmpfs "$root/tmp"
mkdir -p "$root/repository" "$root/.outside"
mount --bind -o ro "$repository" "$root/repository"
# With both versions of cgroups crun refuses to work ("cgroups in hybrid mode not supported").
if mountpoint -q "$root/sys/fs/cgroup/unified"; then umount "$root/sys/fs/cgroup/unified"; fi
# A chroot would not do: Podman would run health checks in the file system outside.
cd "$root"
pivot_root . .outside
umount -l /.outside
cd /
exec "$@"
