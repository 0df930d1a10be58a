# SPDX-License-Identifier: MIT
#
# `tilecut edit`: which requests are served and which are refused, what a page can do, and that nothing is lost if
# clients misbehave. tests/browser tests the page itself in a browser.
# shellcheck shell=sh disable=SC2154

tab= # of the page, where it is not the first
"${CC:-cc}" -std=c11 -D_GNU_SOURCE -O1 -o "$WORK/ask" "$here/ask.c" || exit 1

# Starts the server, and sets $server, $port and $token.
serve() {
    rm -f "$WORK/url" # that of the server before must not be taken for this one's
    "$TILECUT" edit "$@" --no-browser -q >"$WORK/url" 2>"$ERR" </dev/null &
    server=$!
    for _ in $(seq 600); do
        [ -s "$WORK/url" ] && break
        kill -0 $server 2>/dev/null || break
        sleep 0.05
    done
    port=$(sed -n 's|^http://127.0.0.1:\([0-9]*\)/?token=.*|\1|p' "$WORK/url")
    token=$(sed -n 's|.*token=\([0-9a-f]*\)$|\1|p' "$WORK/url")
    expect 'an address is printed' test "$port" -a "${#token}" = 32
}

# Opens the page as the browser does, and sets $key to the value of the cookie.
enter() {
    request GET "/?token=$token" "$(host)"
    key=$(sed -n "s/^Set-Cookie: tilecut-$port=\([0-9a-f]*\); .*/\1/p" got)
    expect 'the page, with a cookie' test "$http" = 200 -a "${#key}" = 32
}

start() {
    serve "$@"
    enter
}

# leave: sends the request in `body` by which the page says that it is finished.
leave() {
    call /api/done body
    [ "$http" = 200 ] || kill $server # it would wait for ever
    wait $server
    status=$?
}

# stop STATUS: finishes without saving, and checks the exit status.
stop() {
    printf 'tab\t%s\nsave\t0\n\n' "${tab:-1}" >body
    leave
    command='tilecut edit'
    [ $status = "$1" ] || show "the server should end with $1"
}

# request METHOD PATH HEADERS [BODY]: writes the whole answer to `got`, and sets $http to its status.
request() {
    {
        printf '%s %s HTTP/1.1\r\nConnection: close\r\n%b' "$1" "$2" "$3"
        [ $# -lt 4 ] || printf 'Content-Length: %d\r\n' "$(wc -c <"$4")"
        printf '\r\n'
        [ $# -lt 4 ] || cat "$4"
    } | "$WORK/ask" "$port" send >got
    http=$(head -n 1 got | cut -d' ' -f2)
}
host() { printf 'Host: 127.0.0.1:%s\\r\\n' "$port"; }
cookie() { printf 'Cookie: tilecut-%s=%s\\r\\n' "$port" "$key"; }
origin() { printf 'Origin: http://127.0.0.1:%s\\r\\n' "$port"; }
type() { printf 'Content-Type: application/octet-stream\\r\\n'; }
call() { request POST "$1" "$(host)$(cookie)$(origin)$(type)" "$2"; }

# denies STATUS METHOD PATH HEADERS [BODY]: the answer must be one plain line without any data.
denies() {
    wanted=$1
    shift
    request "$@"
    [ "$http" = "$wanted" ] || complain "$1 $2 $3: $http, should be $wanted"
    grep -aq '^tilecut: ' got || complain "$1 $2: no plain line"
    ! grep -aqi -e '^access-control' -e '^set-cookie' -e '<html' got || complain "$1 $2: says more than that"
}

# Converts numbers to labels: `labels 2 1` prints the bytes 2 and 1.
labels() { for label; do printf '%b' "\\0$label"; done; }

if "$TILECUT" info | grep -q 'built without libmicrohttpd'; then
    echo 'skipped: tilecut edit, this program was built without a server'
    return 0
fi

begin 'edit: an address that nobody can read, and a report that there is none of'
timeout 60 "$TILECUT" edit "$IN/photo.png" --no-browser -q >&- 2>"$ERR" </dev/null
status=$? command='tilecut edit >&-'
: >"$OUT"
refused 1 'standard output: could not be written'
fails 2 '--json: hours of painting' edit "$IN/photo.png" --no-browser --json w.json

begin 'edit: who is not served'
serve "$IN/photo.png"
printf 'tab\t0\n\n' >hello
key=0123456789abcdef0123456789abcdef
denies 403 GET / "$(host)"
denies 403 GET / "$(host)$(cookie)"
denies 403 GET "/?token=$key" "$(host)"
denies 403 GET "/?token=$token" "Host: evil.example:$port\\r\\n"
denies 403 GET "/?token=$token" "Host: 127.0.0.1\\r\\n"
denies 403 GET "/?token=$token" "$(host)Host: evil.example\\r\\n"
request HEAD "/?token=$token" "$(host)"
[ "$http" = 403 ] || complain "the head alone does not open the page: $http"
denies 400 GET "/?token=$token%00" "$(host)"
denies 403 GET "/editor.js?token=$token" "$(host)"
denies 403 POST "/api/open?token=$token" "$(host)$(origin)$(type)" hello
key=$token
denies 403 GET / "$(host)$(cookie)"
enter
denies 403 GET "/?token=$token" "$(host)"
expect 'the address works once' grep -aq 'works once, and has been opened' got
denies 403 GET "/?token=$key" "$(host)"
denies 403 GET / "$(host)$(cookie)Origin: http://evil.example\\r\\n"
denies 403 GET /editor.js "$(host)"
denies 403 POST /api/open "$(host)$(cookie)$(type)" hello
denies 403 POST /api/open "$(host)$(cookie)$(type)Origin: http://evil.example\\r\\n" hello
denies 403 POST /api/open "$(host)$(cookie)$(type)Origin: null\\r\\n" hello
denies 403 POST /api/open "$(host)$(cookie)$(type)Origin: http://127.0.0.1:1\\r\\n" hello
denies 403 POST /api/open "$(host)$(cookie)$(type)$(origin)Sec-Fetch-Site: same-site\\r\\n" hello
denies 403 POST /api/open "Host: evil.example:$port\\r\\n$(cookie)$(origin)$(type)" hello
denies 403 POST /api/open "$(host)$(origin)$(type)Cookie: tilecut-1=$key\\r\\n" hello
denies 415 POST /api/open "$(host)$(cookie)$(origin)Content-Type: text/plain\\r\\n" hello
denies 405 OPTIONS /api/open "$(host)$(cookie)$(origin)$(type)"
denies 405 PUT /editor.js "$(host)$(cookie)$(origin)$(type)" hello
denies 405 DELETE / "$(host)$(cookie)"
denies 404 GET /../../../../etc/passwd "$(host)$(cookie)"
denies 404 GET /photo.png "$(host)$(cookie)"
denies 404 POST /api/read "$(host)$(cookie)$(origin)$(type)" hello
request GET "/?token=$token" "$(host)$(cookie)"
[ "$http" = 200 ] || complain "the browser that has opened it, once more: $http"
request GET / "$(host)$(cookie)"
[ "$http" = 200 ] || complain "with all that is right: $http"
expect 'a policy for its content' grep -aq "^Content-Security-Policy: default-src 'none'; script-src 'self'" got
expect 'the form of the page' grep -aq 'data-form="program"' got
expect 'a cookie of this site alone' grep -aqi '^set-cookie: .*HttpOnly; SameSite=Strict' got
request POST /api/open "$(host)$(cookie)$(origin)$(type)" hello
expect 'served to the page' grep -aq '^width' got
stop 0

# Each of these requests is ambiguous, or is one that no browser sends.
begin 'edit: requests of an odd form'
start "$IN/photo.png"
printf 'tab\t0\n\n' >hello
all="$(host)$(cookie)$(origin)$(type)"
odd() { # HEADERS BODY [STATUS ...]: refused, and nothing that comes after it is a request of its own
    printf 'POST /api/open HTTP/1.1\r\n%b\r\n%bGET /icon.svg HTTP/1.1\r\n%b\r\n' "$1" "$2" "$(host)$(cookie)" |
        "$WORK/ask" "$port" send >got
    http=$(head -n 1 got | cut -d' ' -f2)
    shift 2
    case " $* " in *" ${http:-none} "*) ;; *) complain "$(head -c 300 got): ${http:-none}, should be $*" ;; esac
    ! grep -aq '^HTTP/1.1 200' got || complain 'what comes after it was answered'
}
odd "${all}Content-Length: 7\r\nContent-Length: 7\r\n" 'tab\t0\n\n' 400
odd "${all}Content-Length: 7\r\nContent-Length: 60\r\n" 'tab\t0\n\n' 400
odd "${all}Content-Length: 7\r\nTransfer-Encoding: chunked\r\n" '7\r\ntab\t0\n\n\r\n0\r\n\r\n' 400
odd "${all}Transfer-Encoding: chunked\r\nContent-Length: 7\r\n" '7\r\ntab\t0\n\n\r\n0\r\n\r\n' 400
odd "${all}Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n" '7\r\ntab\t0\n\n\r\n0\r\n\r\n' 400
odd "${all}Transfer-Encoding: gzip, chunked\r\n" '7\r\ntab\t0\n\n\r\n0\r\n\r\n' 400
odd "${all}Transfer-Encoding: identity\r\nConnection: close\r\n" 'tab\t0\n\n' 400
odd "${all}Content-Length: +7\r\n" 'tab\t0\n\n' 400 none
odd "${all}Content-Length: -1\r\n" 'tab\t0\n\n' 400 none
odd "${all}Content-Length: 0x7\r\n" 'tab\t0\n\n' 400 none
odd "${all}Content-Length: 7,7\r\n" 'tab\t0\n\n' 400 none
odd "${all}Content-Length: 18446744073709551623\r\n" 'tab\t0\n\n' 400 413 none
odd "${all}Transfer-Encoding: chunked\r\n" 'ffffffffffffffff7\r\ntab\t0\n\n\r\n0\r\n\r\n' 400 413 none
odd "${all}Transfer-Encoding: chunked\r\n" '-7\r\ntab\t0\n\n\r\n0\r\n\r\n' 400 413 none
odd "${all}Sec-Fetch-Site: cross-site\r\nSec-Fetch-Site: same-origin\r\nContent-Length: 7\r\n" 'tab\t0\n\n' 400
odd "${all}$(origin)Content-Length: 7\r\n" 'tab\t0\n\n' 400
odd "${all}$(type)Content-Length: 7\r\n" 'tab\t0\n\n' 400
odd "${all}$(cookie)Content-Length: 7\r\n" 'tab\t0\n\n' 400
odd "${all}$(host)Content-Length: 7\r\n" 'tab\t0\n\n' 400 403
odd "Host : 127.0.0.1:$port\r\n$(cookie)$(origin)$(type)Content-Length: 7\r\n" 'tab\t0\n\n' 400 403 none
odd "Host:\r\n 127.0.0.1:$port\r\n$(cookie)$(origin)$(type)Content-Length: 7\r\n" 'tab\t0\n\n' 400 403 none
denies 400 GET /editor.js%00.png "$(host)$(cookie)"
denies 400 GET /editor%2ejs "$(host)$(cookie)"
denies 400 GET /%2e%2e/%2e%2e/etc/passwd "$(host)$(cookie)"
denies 400 GET '/?token=%00' "$(host)$(cookie)"
denies 400 GET / "$(host)$(cookie)" hello
denies 400 GET / "$(host)$(cookie)Transfer-Encoding: chunked\\r\\n"
for word in 'http://evil.example/' 'http://127.0.0.1/' '*' '//' '/editor.js/' '/./editor.js' '/API/open' \
    '/index.html'; do
    request GET "$word" "$(host)$(cookie)"
    [ "$http" != 200 ] || complain "GET $word was answered"
done
request POST /api/open "$all" hello
expect 'still served to the page' grep -aq '^width' got
stop 0

# Here the browser is a script that only keeps its argument, which all users of the machine can see.
begin 'edit: no process has a secret among its arguments'
mkdir bin run
cat >bin/xdg-open <<'END'
#!/bin/sh
cp -p "$1" "$WORK/redirect" && echo "$1" >"$WORK/opened"
exec tail -f /dev/null "$1"
END
chmod +x bin/xdg-open
rm -f "$WORK/url" "$WORK/opened"
DISPLAY=:9 WORK=$WORK XDG_RUNTIME_DIR=$PWD/run PATH=$PWD/bin:$PATH "$TILECUT" edit "$IN/photo.png" \
    >"$WORK/url" 2>"$ERR" </dev/null &
server=$!
for _ in $(seq 600); do
    [ -s "$WORK/opened" ] && break
    sleep 0.05
done
port=$(sed -n 's|^http://127.0.0.1:\([0-9]*\)/?token=.*|\1|p' "$WORK/url")
token=$(sed -n 's|.*token=\([0-9a-f]*\)$|\1|p' "$WORK/url")
file=$(cat "$WORK/opened")
expect 'a file of this user alone' test "$(stat -c %a "$file")" = 600
expect 'that leads to the address' grep -q "url=$(cat "$WORK/url")" "$WORK/redirect"
enter
printf '%s\n' "$token" "$key" >secrets
cat /proc/[0-9]*/cmdline 2>/dev/null | tr '\0' '\n' >arguments
expect 'not among the arguments' test "$(grep -ac -f secrets arguments)" = 0
expect 'but the file is' grep -aq "$file" arguments
printf 'tab\t0\n\n' >hello
call /api/open hello
stop 0
expect 'the file is gone' test ! -e "$file" -a -z "$(ls run)"
for one in /proc/[0-9]*; do # the browser
    grep -aq "$file" "$one/cmdline" 2>/dev/null && grep -aq '^tail' "$one/cmdline" && kill "${one#/proc/}"
done

begin 'edit: the address is of this machine alone'
start "$IN/photo.png"
expect 'listens on 127.0.0.1' grep -q "0100007F:$(printf '%04X' "$port")" /proc/net/tcp
expect 'and nowhere else' test "$(cat /proc/net/tcp /proc/net/tcp6 | awk '$4 == "0A" { print $2 }' |
    grep -c ":$(printf '%04X' "$port")\$")" = 1
call /api/open /dev/null
expect 'a message without its parts' test "$http" = 400
printf 'tab\t0\n\n' >hello
call /api/open hello
stop 0

begin 'edit: requests that are too large'
start "$IN/photo.png"
head -c 9000000 /dev/zero >large
denies 413 POST /api/sketch "$(host)$(cookie)$(origin)$(type)" large
denies 413 POST /api/open "$(host)$(cookie)$(origin)$(type)" large
request POST /api/sketch "$(host)$(cookie)$(origin)$(type)Content-Length: 99999999999999999999\\r\\n"
expect 'a length that is none' test "$http" != 200
{
    printf 'POST /api/sketch HTTP/1.1\r\n%bTransfer-Encoding: chunked\r\n\r\n' "$(host)$(cookie)$(origin)$(type)"
    for _ in 1 2 3 4 5 6 7 8 9; do
        printf '100000\r\n'
        head -c 1048576 /dev/zero
        printf '\r\n'
    done
    printf '0\r\n\r\n'
} | "$WORK/ask" "$port" send >got
expect 'in pieces, without a length' test ! -s got
request GET / "$(host)$(cookie)X-Large: $(head -c 60000 /dev/zero | tr '\0' x)\\r\\n"
expect 'a header' test "$http" != 200
printf 'tab\t0\n\n' >hello
call /api/open hello
expect 'still there' test "$http" = 200
stop 0

begin 'edit: messages that are wrong'
start "$IN/photo.png"
printf 'tab\t0\n\n' >hello
call /api/open hello
wrong() { # TEXT MESSAGE [LABELS]
    printf "$2" >body
    shift 2
    labels "$@" >>body
    call /api/sketch body
    grep -aq '^error' got || complain "$(cat body | tr '\n\t' '; '): no sentence"
}
wrong 'no options' 'tab\t1\nrect\t0 0 1 1\n\n' 1
wrong 'no rectangle' 'tab\t1\noptions\t\n\n' 1
wrong 'another size' 'tab\t1\noptions\t\nrect\t0 0 2 2\n\n' 1 1 1
wrong 'outside' 'tab\t1\noptions\t\nrect\t100000 0 1 1\n\n' 1
wrong 'negative' 'tab\t1\noptions\t\nrect\t-1 0 1 1\n\n' 1
wrong 'no label' 'tab\t1\noptions\t\nrect\t0 0 1 1\n\n' 7
wrong 'no number' 'tab\t1\noptions\t\nrect\t0 0 1 x\n\n' 1
wrong 'another option' 'tab\t1\noptions\t--output /tmp/x\nrect\t0 0 1 1\n\n' 1
wrong 'help' 'tab\t1\noptions\t--help\nrect\t0 0 1 1\n\n' 1
wrong 'a bad value' 'tab\t1\noptions\t--lambda x\nrect\t0 0 1 1\n\n' 1
wrong 'another tab' 'tab\t2\noptions\t\nrect\t0 0 1 1\n\n' 1
wrong 'one class alone' 'tab\t1\noptions\t\nrect\t0 0 1 1\n\n' 2
stop 0

begin 'edit: paints, cuts, saves and ends'
"$TILECUT" segment "$IN/photo.png" -s "$IN/seeds.png" -o wanted.png -q
start "$IN/photo.png" -s "$IN/seeds.png" -o mask.png --cutout out.png --save-strokes strokes.png
printf 'tab\t0\n\n' >hello
call /api/open hello
printf 'tab\t1\noptions\t\n\n' >body
call /api/sketch body
expect 'a sketch' grep -aq '^certified.1' got
call /api/save body
expect 'nothing is saved before it is cut' test ! -e mask.png
printf 'tab\t1\nturn\t7\n\n' >hurry
call /api/hurry hurry
expect 'a sketch that does not run cannot be stopped' test "$http" = 200
printf 'tab\t1\nturn\t7\noptions\t\n\n' >sketch
call /api/sketch sketch
expect 'nor is the next one' grep -aq '^certified.1' got
printf 'tab\t1\n\n' >hurry
call /api/hurry hurry
expect 'which one has to be said' test "$http" = 400
call /api/cut body
expect 'a cut' grep -aq '^certified.1' got
call /api/save body
expect 'saved' grep -aq '^saved.*mask.png, out.png, strokes.png' got
expect 'the mask of segment' cmp mask.png wanted.png
"$TILECUT" segment "$IN/photo.png" -s strokes.png --seeds-format trimap -o again.png -q
expect 'the strokes cut it again' cmp again.png wanted.png
printf 'tab\t1\nsave\t1\noptions\t\n\n' >body
leave
done_well

begin 'edit: who asks where it is unsure keeps nobody waiting'
start "$here/../../images/tulips.png" -s "$here/../../images/tulips_seeds.png"
printf 'tab\t0\n\n' >hello
call /api/open hello
printf 'tab\t1\noptions\t\n\n' >body
call /api/sketch body
call /api/unsure body
expect 'it is told' grep -aq '^unsure.[0-9]' got
printf 'tab\t1\n\n' >enough
mkdir aside
# On a busy machine a search may be over before the change comes.
for _ in 1 2 3 4 5 6 7 8; do
    (cd aside && call /api/unsure ../body) &
    asked=$!
    while kill -0 $asked 2>/dev/null; do call /api/stop enough; done
    wait $asked
    ! grep -aq '^overtaken' aside/got || break
done
expect 'a change ends the search' grep -aq '^overtaken' aside/got
stop 0

begin 'edit: a mask that clicks correct and teach is that of segment --previous --learn'
"$TILECUT" segment "$IN/photo.png" --fg '50,20' -o before.png -q
"$TILECUT" segment "$IN/photo.png" --previous before.png --learn -s "$IN/seeds.png" -o wanted.png -q
start "$IN/photo.png" --previous before.png --learn -s "$IN/seeds.png" -o mask.png
printf 'tab\t0\n\n' >hello
call /api/open hello
expect 'the page is told' grep -aq '^learns.1$' got
printf 'tab\t1\noptions\t--previous --learn\n\n' >body
call /api/cut body
expect 'a cut' grep -aq '^certified.1' got
expect 'of something' test -z "$(grep -a '^solver.none' got)"
call /api/save body
expect 'the mask of segment' cmp mask.png wanted.png
printf 'tab\t1\noptions\t\n\n' >other
call /api/sketch other
call /api/open hello
expect 'another tab sees what was set last' grep -aq '^learns.0$' got
printf 'tab\t2\nsave\t0\noptions\t\n\n' >body
leave
done_well
run edit "$IN/photo.png" --learn --no-browser
expect 'of nothing it does not learn' test "$status" = 2

begin 'edit: how far the outline of a mask to begin from may move'
printf '{"shapes": [{"points": [[8, 8], [48, 20], [20, 40]]}]}' >shape.json
"$TILECUT" refine "$IN/photo.png" shape.json -o free.png -q
for how in '--band 2' '--mask-cell 4'; do
    # shellcheck disable=SC2086
    "$TILECUT" segment "$IN/photo.png" --mask shape.json $how -o wanted.png -q
    # shellcheck disable=SC2086
    start "$IN/photo.png" --mask shape.json $how -o mask.png
    printf 'tab\t0\n\n' >hello
    call /api/open hello
    printf 'tab\t1\noptions\t\n\n' >body
    call /api/cut body
    call /api/save body
    expect "$how: the mask of segment" cmp mask.png wanted.png
    expect "$how is no idle word" test "$(cmp -s wanted.png free.png && echo same)" != same
    stop 0
    rm mask.png
done
run edit "$IN/photo.png" --mask-cell 4 --no-browser
expect 'of no mask' test "$status" = 2

begin 'edit: a mask that strokes correct is that of segment --previous'
"$TILECUT" segment "$IN/photo.png" -s "$IN/seeds.png" -o before.png -q
"$TILECUT" segment "$IN/photo.png" --previous before.png --fg '3,3 9,3' -o wanted.png -q
start "$IN/photo.png" --previous before.png --fg '3,3 9,3' -o mask.png
printf 'tab\t0\n\n' >hello
call /api/open hello
expect 'the page is told' grep -aq '^corrects.1$' got
printf 'tab\t1\nown\t1\n\n' >body
call /api/prior body
expect 'there is no mask yet' test "$http" = 400
printf 'tab\t1\noptions\t--previous\n\n' >body
call /api/cut body
expect 'a cut' grep -aq '^certified.1' got
call /api/save body
expect 'the mask of segment' cmp mask.png wanted.png
printf 'tab\t1\nown\t1\n\n' >own
call /api/prior own
expect 'the next stroke begins from it' test "$http" = 200
call /api/save body
expect 'not before it is cut again' grep -aq '^overtaken' got
call /api/cut body
expect 'a mask that no stroke contradicts' grep -aq '^solver.none' got
call /api/save body
expect 'stays' cmp mask.png wanted.png
printf 'tab\t1\noptions\t--matte auto --feather 3\n\n' >body
call /api/cut body
expect 'two soft edges' grep -aq '^error.*both say what edge' got
stop 0

begin 'edit: leaving without saving is said'
start "$IN/photo.png" -s "$IN/seeds.png" -o mask.png
printf 'tab\t0\n\n' >hello
call /api/open hello
stop 1
expect 'a line' grep -q 'photo.png: was left without saving' "$ERR"
expect 'no file' test ! -e mask.png

begin 'edit: what cannot be saved leaves all as it was, and the page goes on'
mkdir gone
start "$IN/photo.png" -s "$IN/seeds.png" -o mask.png --cutout gone/out.png
printf 'tab\t0\n\n' >hello
call /api/open hello
rm -r gone
printf 'tab\t1\noptions\t\n\n' >body
call /api/cut body
call /api/save body
expect 'a sentence' grep -aq '^error.*gone/out.png' got
expect 'no half of it' test ! -e mask.png
mkdir gone
mkfifo gone/out.png
call /api/save body
expect 'a pipe is not waited for' grep -aq '^error.*gone/out.png.*--cutout takes a file' got
rm gone/out.png
call /api/save body
expect 'later it works' test -s mask.png -a -s gone/out.png
stop 0

begin 'edit: two tabs: the later one has the photo, with the strokes of the first'
start "$IN/photo.png"
printf 'tab\t0\n\n' >hello
call /api/open hello
printf 'tab\t1\noptions\t\nrect\t3 4 2 1\n\n' >body
labels 2 1 >>body
call /api/sketch body
call /api/open hello
area=$(($(sed -n 's/^width\t//p' got) * $(sed -n 's/^height\t//p' got)))
tail -c $area got | od -An -v -tu1 -w1 | sort | uniq -c >counts
expect 'its strokes' grep -Eq '^ *1 +2$' counts
call /api/sketch body
expect 'the first is told' grep -aq '^error.*another tab' got
expect 'and refused' test "$http" = 403
tab=2
stop 0
tab=

begin 'edit: slow clients are cut off, and nobody waits for them'
start "$IN/photo.png"
"$WORK/ask" "$port" slow 20 >slow &
sleep 1
printf 'tab\t0\n\n' >hello
call /api/open hello
expect 'served meanwhile' test "$http" = 200
wait $!
expect 'all cut off' test "$(cat slow)" = 20
"$WORK/ask" "$port" slow 200 >slow &
for _ in 1 2 3 4 5 6 7 8; do
    sleep 0.25
    call /api/open hello
    expect 'served while strangers hold more than there is room for' test "$http" = 200
done
wait $!
tab=9
stop 0
tab=

begin 'edit: two tabs, and a thousand random requests of two clients at a time'
start "$IN/photo.png" -s "$IN/seeds.png" -o mask.png --save-strokes strokes.png
printf 'tab\t0\n\n' >hello
call /api/open hello
call /api/open hello
"$WORK/ask" "$port" random 500 "$key" 20240607 >first &
answered=$("$WORK/ask" "$port" random 500 "$key" 7)
wait $!
expect "answered: $answered and $(cat first)" test "${answered:-0}" -gt 150 -a "$(cat first)" -gt 150
call /api/open hello
expect 'still there' test "$http" = 200
tab=$(sed -n 's/^tab\t//p' got)
printf 'tab\t%s\noptions\t\n\n' "$tab" >body
call /api/cut body
call /api/save body
expect 'still cuts and saves' grep -aq '^saved.*mask.png, strokes.png' got
"$TILECUT" segment "$IN/photo.png" -s strokes.png --seeds-format trimap -o again.png -q
expect 'the mask of all that was painted' cmp mask.png again.png
stop 0
tab=

begin 'edit: without a photo, one comes from the page; then another'
start
printf 'tab\t0\n\n' >hello
call /api/open hello
expect 'there is none' grep -aq '^width.0$' got
printf 'tab\t1\noptions\t\n\n' >body
call /api/cut body
expect 'nothing to cut' test "$http" = 403
{
    printf 'tab\t1\nname\ta b.png\n\n'
    cat "$IN/photo.png"
} >photo
call /api/load photo
expect 'taken' test "$http" = 200
call /api/open hello
expect 'its name' grep -aq '^name.a b.png$' got
expect 'no files to write' grep -aq '^outputs.0$' got
printf 'tab\t2\nname\tx.png\n\nno photo' >photo
call /api/load photo
expect 'what is none is refused' grep -aq '^error.*x.png' got
call /api/open hello
expect 'and the one before stays' grep -aq '^name.a b.png$' got
width=$(sed -n 's/^width\t//p' got)
printf 'tab\t3\noptions\t\nrect\t0 0 %s 1\n\n' "$width" >body
head -c "$width" /dev/zero | tr '\0' '\1' >>body
call /api/sketch body
printf 'tab\t3\noptions\t\nrect\t50 20 1 1\n\n' >body
labels 2 >>body
call /api/sketch body
printf 'tab\t3\noptions\t\n\n' >body
call /api/unsure body
expect 'where it is unsure' grep -aq '^unsure' got
printf 'tab\t3\n\n' >stop
call /api/stop stop
expect 'stopped' test "$http" = 200
call /api/cut body
expect 'a cut' grep -aq '^certified.1' got
run make ball --size 20 -o ball.nii.gz
{
    printf 'tab\t3\nname\tball.nii.gz\n\n'
    cat ball.nii.gz
} >scan
call /api/load scan
expect 'a scan in its place' grep -aq '^scan.1$' got
call /api/open hello
expect 'its depth' grep -aq '^slices.20$' got
printf 'tab\t4\noptions\t\n\n' >body
call /api/cutout body
expect 'what is for photos comes too late' grep -aq '^overtaken' got
printf 'tab\t4\nname\tcut.nii.gz\n\n' >scan
head -c 300 ball.nii.gz >>scan
call /api/load scan
expect 'a damaged one is refused' grep -aq '^error.cut.nii.gz: packed by gzip' got
printf 'tab\t4\naxis\t2\nindex\t7\nscan\t1\nmask\t1\n\n' >slice
call /api/slice slice
expect 'and the one before stays' test "$http" = 200 -a "$(wc -c <got)" -gt 1200
{
    printf 'tab\t4\nname\tb.png\n\n'
    cat "$IN/photo.png"
} >photo
call /api/load photo
expect 'a photo again' grep -aq '^scan.0$' got
call /api/slice slice
expect 'and what is for scans' grep -aq '^overtaken' got
tab=4
stop 0
tab=
rm -f body got hello photo stop scan slice ball.nii.gz
for option in '-o mask.png' '--box 1,1,9,9' '--fg 3,3' "-s $IN/seeds.png"; do
    fails 2 'belongs to a photo, and none is named' edit $option --no-browser
done

begin 'edit: a scan is cut, saved and cut again as segment does it; its calls have the same guard'
run make ball --size 20 -o ball.nii.gz --seeds-output ball_seeds.nii.gz
"$TILECUT" segment ball.nii.gz -s ball_seeds.nii.gz --lambda 20 -o wanted.nii.gz -q
start ball.nii.gz -s ball_seeds.nii.gz -o mask.nii.gz --save-strokes strokes.nii.gz
printf 'tab\t1\naxis\t2\nindex\t7\nscan\t1\nmask\t1\n\n' >slice
printf 'tab\t1\nstrokes\t1\n\n' >file
for word in slice file; do
    denies 403 POST /api/$word "$(host)$(origin)$(type)" $word
    denies 403 POST /api/$word "$(host)$(cookie)$(type)" $word
    denies 403 POST /api/$word "$(host)$(cookie)$(type)Origin: http://evil.example\\r\\n" $word
    denies 415 POST /api/$word "$(host)$(cookie)$(origin)Content-Type: text/plain\\r\\n" $word
done
head -c 20000 /dev/zero >large
denies 413 POST /api/sketch "$(host)$(cookie)$(origin)$(type)" large
denies 413 POST /api/slice "$(host)$(cookie)$(origin)$(type)" large
printf 'tab\t0\n\n' >hello
call /api/open hello
expect 'how the scan lies' grep -aq '^sides' got
call /api/slice slice
expect 'a plane: three bytes a voxel' test "$http" = 200 -a "$(wc -c <got)" -gt 1200
for words in 'axis\t3\nindex\t0' 'axis\t-1\nindex\t0' 'axis\t0\nindex\t20' 'axis\t0\nindex\t-1' 'axis\t0'; do
    printf "tab\\t1\n$words\nscan\t1\n\n" >body
    call /api/slice body
    expect "no plane: $words" test "$http" = 400
done
wrong 'of a photo' 'tab\t1\noptions\t\nrect\t0 0 1 1\n\n' 1
wrong 'outside' 'tab\t1\noptions\t\nrect\t0 0 20 1 1 1\n\n' 1
wrong 'negative' 'tab\t1\noptions\t\nrect\t0 0 -1 1 1 1\n\n' 1
wrong 'too thick' 'tab\t1\noptions\t\nrect\t0 0 19 1 1 2147483647\n\n' 1 1
wrong 'another size' 'tab\t1\noptions\t\nrect\t0 0 0 1 1 2\n\n' 1
wrong 'no label' 'tab\t1\noptions\t\nrect\t0 0 0 1 1 1\n\n' 3
printf 'tab\t1\noptions\t--lambda 20\n\n' >body
call /api/sketch body
expect 'a sketch' grep -aq '^certified.1' got
call /api/file hello
expect 'another tab gets no file' test "$http" = 403
call /api/cut body
expect 'a cut' grep -aq '^certified.1' got
call /api/unsure body
expect 'where it is unsure' grep -aq '^unsure' got
expect 'a place in space' grep -aq '^z.-*[0-9]' got
printf 'tab\t1\noptions\t--lambda 20\n\n\1' >large
call /api/unsure large
expect 'but of its own sketch' test "$http" = 400
printf 'tab\t1\nsave\t1\noptions\t--lambda 20\n\n' >body
leave
done_well
expect 'the labels of segment' cmp mask.nii.gz wanted.nii.gz
"$TILECUT" segment ball.nii.gz -s strokes.nii.gz:labels --lambda 20 -o again.nii.gz -q
expect 'the strokes cut it again' cmp again.nii.gz wanted.nii.gz

begin 'edit: a scan with seeds in colour is cut as segment cuts it, and as with the same seeds in grey'
run make ball --size 20 -o ball.nrrd --seeds-output seeds.raw
{ printf 'NRRD0004\ntype: uint8\ndimension: 4\nsizes: 20 20 20 3\nkinds: domain domain domain RGB-color\n'
  printf 'encoding: raw\n\n' && tr '\001\002' '\000\377' <seeds.raw
  tr '\001\002' '\377\000' <seeds.raw && head -c 8000 /dev/zero; } >seeds.nrrd
"$TILECUT" segment ball.nrrd -s seeds.raw --size 20x20x20:u8 -o grey.nrrd -q
"$TILECUT" segment ball.nrrd -s seeds.nrrd -o wanted.nrrd -q
expect 'segment: other labels than in grey' cmp wanted.nrrd grey.nrrd
start ball.nrrd -s seeds.nrrd -o mask.nrrd
printf 'tab\t0\n\n' >hello
call /api/open hello
printf 'tab\t1\noptions\t\n\n' >body
call /api/cut body
expect 'a cut' grep -aq '^certified.1' got
printf 'tab\t1\nsave\t1\noptions\t\n\n' >body
leave
done_well
expect 'edit: other labels than of segment' cmp mask.nrrd wanted.nrrd

begin 'edit: strokes correct the mask of a scan, and undo goes back, as segment --previous says'
run make ball --size 20 -o ball.nii.gz --seeds-output ball_seeds.nii.gz
start ball.nii.gz -o mask.nii.gz --save-strokes strokes.nii.gz
printf 'tab\t0\n\n' >hello
call /api/open hello
printf 'tab\t1\noptions\t\nframed\t1\nrect\t9 9 9 3 3 1\n\n' >body
labels 2 2 2 2 2 2 2 2 2 >>body
call /api/sketch body
expect 'the faces are background' grep -aq '^certified.1' got
printf 'tab\t1\noptions\t\n\n' >cut
call /api/cut cut
expect 'the first mask' grep -aq '^certified.1' got
printf 'tab\t1\nown\t1\n\n' >keep
call /api/prior keep
expect 'it is kept' grep -aq '^number.1' got
call /api/save cut
expect 'and saved' grep -aq '^saved.*mask.nii.gz' got
cp mask.nii.gz previous.nii.gz
printf 'tab\t1\nnumber\t1\n\n' >body
call /api/prior body
printf 'tab\t1\noptions\t--previous\nrect\t9 9 12 3 3 1\n\n' >body
labels 1 1 1 1 1 1 1 1 1 >>body
call /api/sketch body
printf 'tab\t1\noptions\t--previous\n\n' >cut
call /api/cut cut
expect 'a correction' grep -aq '^certified.1' got
call /api/save cut
"$TILECUT" segment ball.nii.gz -s strokes.nii.gz:labels --previous previous.nii.gz -o again.nii.gz -q
expect 'the labels of segment --previous' cmp again.nii.gz mask.nii.gz
printf 'tab\t1\nnumber\t7\n\n' >body
call /api/prior body
expect 'what is not kept' grep -aq '^error.*is not kept' got
stop 0
cp mask.nii.gz wanted.nii.gz
start ball.nii.gz -s strokes.nii.gz:labels --previous previous.nii.gz -o mask.nii.gz
call /api/open hello
expect 'which mask is corrected' grep -aq '^mask.previous.nii.gz' got
printf 'tab\t1\nsave\t1\noptions\t--previous\n\n' >body
call /api/sketch cut
call /api/cut cut
leave
done_well
expect 'a mask that the program was started with' cmp mask.nii.gz wanted.nii.gz

begin 'edit: what is refused before it serves'
fails 2 "--port: '70000' is not a port from 0 to 65535" edit "$IN/photo.png" --port 70000
fails 2 '--output: takes the name of a file' edit "$IN/photo.png" -o -
fails 2 'mask.jpg' edit "$IN/photo.png" -o mask.jpg
"$TILECUT" make ball --size 16 -o "$WORK/ball.nii.gz" --seeds-output "$WORK/ball_seeds.nii.gz" -q
fails 2 '--cutout: is for photos, and' edit "$WORK/ball.nii.gz" --no-browser --cutout out.png
fails 2 'mask.png: a PNG file holds one slice, and the volume has 16' edit "$WORK/ball.nii.gz" --no-browser -o mask.png
fails 2 '--series: is for volumes' edit "$IN/photo.png" --no-browser --series 1.2
fails 4 'seeds must have' edit "$IN/photo.png" -s "$IN/small_seeds.png"
fails 4 'a label map has the' edit "$IN/photo.png" --labels "$IN/small_seeds.png"
run edit "$IN/photo.png" --labels map.png --previous mask.png
refused 2 '--labels: is corrected by strokes in the page; leave --previous out'
fails 2 '--legend: names the labels of a label map' edit "$IN/photo.png" --legend names.txt
fails 2 '--labels: belongs to a photo' edit --labels map.png
"$TILECUT" edit "$WORK/ball.nii.gz" --range 1000,2000 --no-browser >"$WORK/url" 2>"$ERR" </dev/null &
server=$!
for _ in $(seq 600); do
    [ -s "$WORK/url" ] && break
    sleep 0.05
done
kill $server
wait $server
expect 'a note on a scan of one grey' grep -q 'all voxels have the same grey between 1000 (black) and 2000' "$ERR"
mkfifo "$WORK/pipe.png"
for word in "$WORK/pipe.png" /dev/null /dev/full; do
    run edit "$IN/photo.png" --no-browser --save-strokes "$word"
    [ "$status" = 2 ] || show "should not write to $word"
done
fails 2 'pipe.png: --output takes a file' edit "$IN/photo.png" --no-browser -o "$WORK/pipe.png"
cp "$IN/photo.png" photo.png
run edit photo.png -o photo.png
[ "$status" = 2 ] || show 'should not overwrite its input'
