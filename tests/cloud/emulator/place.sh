# A worker's place, as Lambda makes it: /var/task, /opt, /var/runtime and /var/lang to be read only, a /tmp of the
# function's size, no other folder of this machine, and a user without rights. It runs in a mount namespace of its own,
# which ends with it.
set -e
root=$PLACE_ROOT
read_only() { mount --bind "$1" "$2" && mount -o remount,ro,bind "$2"; }

mount -t tmpfs -o size=1m,mode=755 tmpfs "$root"
for name in usr bin sbin lib lib32 lib64 etc; do
  if [ -L "/$name" ]; then cp -P "/$name" "$root/$name"
  elif [ -d "/$name" ]; then mkdir "$root/$name" && read_only "/$name" "$root/$name"; fi
done
mkdir -p "$root/dev" "$root/proc" "$root/opt" "$root/tmp" "$root/var/task" "$root/var/runtime" "$root/var/lang"
mount --rbind /dev "$root/dev"
mount --rbind /proc "$root/proc"
read_only "$PLACE_PASSWD" "$root/etc/passwd"
read_only /etc/hosts "$root/etc/hosts"  # it is mounted itself
read_only "$PLACE_TASK" "$root/var/task"
read_only "$PLACE_RUNTIME" "$root/var/runtime"
read_only "$PLACE_PYTHON" "$root/var/lang"
case "$PLACE_LAYERS" in
  *:*) mount -t overlay overlay -o ro,lowerdir="$PLACE_LAYERS" "$root/opt" ;;
  ?*) read_only "$PLACE_LAYERS" "$root/opt" ;;
esac
mount -t tmpfs -o size="${PLACE_TMP_MB}m",mode=1777 tmpfs "$root/tmp"
unset PLACE_TASK PLACE_LAYERS PLACE_RUNTIME PLACE_PYTHON PLACE_PASSWD PLACE_TMP_MB PLACE_ROOT
cd "$root"
exec "$(PATH=/usr/sbin:/usr/bin:/sbin:/bin command -v chroot)" --userspec=993:990 --groups= . /bin/sh -c 'cd /var/task && exec /var/lang/bin/python3.13 -m awslambdaric "$_HANDLER"'
