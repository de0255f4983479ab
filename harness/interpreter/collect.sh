#!/bin/sh
# Collects this image's Python in /opt/benchbench/python, with every library that it is linked to and their loader, so
# that it runs in any image of the same architecture: one without Python, with an older one, or with another libc.
set -eu
to=/opt/benchbench/python
python=$(readlink -f "$(command -v python3)")
stdlib=$("$python" -I -c 'import sysconfig; print(sysconfig.get_path("stdlib"))')

mkdir -p "$to/bin" "$to/lib"
cp "$python" "$to/bin/python3"
cp -R "$stdlib" "$to/lib/"
cd "$to/lib/$(basename "$stdlib")"
rm -rf test idlelib tkinter turtledemo lib2to3 ensurepip distutils site-packages dist-packages pydoc_data config-*
find . -name __pycache__ -prune -exec rm -rf {} +

linked() { # names the libraries of these files, and what loads them
    ldd "$@" 2>/dev/null | sed -n 's/.* => \(\/[^ ]*\) (.*/\1/p; s/^[[:space:]]*\(\/[^ ]*\) (.*/\1/p'
}
linked "$python" lib-dynload/*.so | sort -u | while read -r library; do
    cp -L "$library" "$to/lib/"
done
loader=$(cd "$to/lib" && ls ld-*.so* | head -n 1)

cat >"$to/python3" <<LAUNCHER
#!/bin/sh
exec $to/lib/$loader --library-path $to/lib $to/bin/python3 "\$@"
LAUNCHER
chmod 755 "$to/python3"
# Checked by content, so that no copy of these files makes them stale.
"$to/python3" -I -m compileall -q --invalidation-mode unchecked-hash "$to/lib"
