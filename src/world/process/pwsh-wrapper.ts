/**
 * What PowerShell is started with in place of the script: the same gate and the same report as for bash.
 *
 * The script comes through descriptor 3 and counts only with the NUL behind it. It is run in the shell's own scope, so
 * that `Set-Location` and `$env:NAME` last to the report. Its exit code is that of `exit`, else 1 where its last
 * command failed (the exit code of the last program where that is what failed), else 0. The report is written as bash
 * would print it, so that there is one reader for both.
 */
/** Both are sockets, which cannot be opened by a name in /dev/fd. */
const descriptor = (fd: number, direction: 'In' | 'Out'): string =>
  `[IO.Pipes.AnonymousPipeClientStream]::new('${direction}', ` +
  `[Microsoft.Win32.SafeHandles.SafePipeHandle]::new([IntPtr]${fd}, $true))`;

const READ = [
  `$__planwright_gate = [IO.StreamReader]::new(${descriptor(3, 'In')})`,
  '$__planwright_script = $__planwright_gate.ReadToEnd()',
  '$__planwright_gate.Close()',
  'if (-not $__planwright_script.EndsWith([char]0)) { exit 125 }',
  '$__planwright_script = $__planwright_script.Substring(0, $__planwright_script.Length - 1)',
];

const REPORT = [
  'function __planwright_report {',
  `$out = [IO.StreamWriter]::new(${descriptor(4, 'Out')});`,
  'foreach ($entry in [Environment]::GetEnvironmentVariables().GetEnumerator()) {',
  "if ($entry.Key -notmatch '^[A-Za-z_][A-Za-z0-9_]*$') { continue };",
  "$value = $entry.Value -replace '([\"\\\\$`])', '\\$1';",
  '$out.Write("declare -x $($entry.Key)=`"$value`"`n") };',
  '$out.Write([char]0); $out.Write("$((Get-Location -PSProvider FileSystem).ProviderPath)`n"); $out.Write([char]0);',
  '$out.Close() }',
].join(' ');

const RUN = [
  '$global:LASTEXITCODE = 0',
  '. ([scriptblock]::Create($__planwright_script))',
  '$__planwright_ok = $?',
  '$__planwright_code = if ($__planwright_ok) { 0 } elseif ($LASTEXITCODE) { $LASTEXITCODE } else { 1 }',
];

export const PWSH_WRAPPER = [
  REPORT,
  ...READ,
  // An `exit` in the script passes by what follows; `finally` is run all the same.
  `try { ${RUN.join('; ')} } finally { try { __planwright_report } catch { } }`,
  'exit $__planwright_code',
].join('; ');

export const PWSH_SERVICE_WRAPPER = [...READ, ...RUN, 'exit $__planwright_code'].join('; ');
