#!/usr/bin/env bash
# Runs a command in a root file system as in a container of the image: read-only, as nobody, without capabilities, as
# process 1. Called by rootfs.sh in mount, process, host-name and IPC namespaces of its own.
#
#   enter.sh ROOT DATA HOSTNAME COMMAND …
set -euo pipefail
root=$1 data=$2 name=$3
shift 3

mount --make-rprivate /
mount --bind "$root" "$root"
mount --bind "$data" "$root/data"
mount -o remount,bind,nosuid,nodev "$root/data"
mount -t proc -o nosuid,nodev,noexec proc "$root/proc"
mount -t tmpfs -o mode=1777,nosuid,nodev tmpfs "$root/tmp"
mount -t tmpfs -o mode=0755,nosuid,noexec tmpfs "$root/dev"
for device in null zero full random urandom; do
    touch "$root/dev/$device"
    mount --bind "/dev/$device" "$root/dev/$device"
done
mount -o remount,ro "$root/dev"
mount -o remount,bind,ro,nosuid,nodev "$root"
hostname "$name"

exec chroot "$root" /usr/bin/setpriv --reuid 65534 --regid 65534 --clear-groups --no-new-privs --bounding-set=-all \
    --inh-caps=-all /usr/bin/env -i -C /etc/intentd PATH=/usr/local/bin:/usr/bin:/bin INTENTD_DATA=/data "$@"
