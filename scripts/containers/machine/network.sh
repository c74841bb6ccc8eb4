#!/bin/sh
# Connects the machine's network to the one outside: `network.sh <root> <process id of the machine>`. pasta forwards
# connections as an ordinary program, so that neither addresses nor firewall rules of this computer change.
set -eu
root=$1 machine=$2
mount --make-rprivate /
mount --bind "$root" "$root"
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
mount -t tmpfs tmpfs "$root/tmp"
# pasta may not look into another process, but may join a namespace that is a file.
touch "$root/tmp/network"
mount --bind "/proc/$machine/ns/net" "$root/tmp/network"
exec chroot "$root" pasta --config-net --netns-only --runas 0 --netns /tmp/network \
  --tcp-ports none --udp-ports none --quiet --foreground
