import { programs } from '../table.ts';

const reading = /^(?:GET|HEAD|OPTIONS|TRACE)$/i;
/** From no file, and not to say that the request is another one. */
const named = /^(?!@)(?!x-(?:http-)?method)/i;

/** Programs that ask the network. What they send is in the command, and what they get goes to the terminal. */
export const networkRows = [
  ...programs(
    `
    curl ; -fsSLIvkiGgNjZ#q -A=named -H=named -e=named -mryYC= -z=named -X=reading -o=out -Q=asks -w=shows -b=cookie
      --anyauth --basic --ciphers= --compressed --connect-timeout= --continue-at= --digest --fail --fail-early
      --fail-with-body --get --globoff --head --header=named --help --http0.9 --http1.0 --http1.1 --http2
      --http2-prior-knowledge --http3 --include --insecure --interface= --ipv4 --ipv6 --keepalive-time= --limit-rate=
      --location --max-filesize= --max-redirs= --max-time= --no-buffer --no-keepalive --no-progress-meter --output=out
      --parallel --path-as-is --progress-bar --quote=asks --range= --raw --referer=named --request=reading --retry=
      --retry-all-errors --retry-connrefused --retry-delay= --retry-max-time= --show-error --show-headers --silent
      --speed-limit= --speed-time= --ssl --ssl-reqd --tcp-nodelay --time-cond=named --tlsv1 --tlsv1.0 --tlsv1.1 --tlsv1.2
      --tlsv1.3 --url=url --url-query=pair --user-agent=named --verbose --version --write-out=shows ; url
    wget ; !--spider -qvS46 -tT=num --max-redirect=num --method=reading --no-check-certificate --no-verbose --quiet
      --server-response --timeout=num --tries=num --user-agent= --verbose ; url
    ping ping6 ; !-c=num -46nqDOv -iIstwW= ; host 1-1
    dig ; -46rux -p=num -ctq=query ; query
    host ; -46cdrsv -t=query -WNR=num ; query 1+
    whois ; ; query 1-1
  `,
    {
      kinds: {
        reading,
        named,
        asks: /^(?:PWD|NLST|LIST|STAT|PASV|SYST|NOOP|TYPE|MDTM|SIZE|HELP)(?: [\w./-]+)?$/,
        shows: /^(?!@)(?!.*%output)./s,
        pair: /^[\w.%-]+=[^@]*$/,
        // Without a sign of equality it would name a file.
        cookie: /^[^@=][^=]*=/,
        // Not the whole zone.
        query: /^(?!(?:axfr|ixfr.*|any|-)$)[+@\w.:=/-]+$/i,
      },
    },
  ),
  ...programs('nslookup ; -query=name -type=name -timeout=num -debug ; name 1-2', { single: true }),
];
