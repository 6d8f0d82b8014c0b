import type { PwshCommand } from '../../shell/index.ts';
import type { RuleInfo } from '../types.ts';

interface PwshRule extends RuleInfo {
  match(command: PwshCommand): boolean;
}

const named = (pattern: RegExp) => (command: PwshCommand) => pattern.test(command.name);
const removers =
  /^(?:remove-item|rm|del|rd|ri|rmdir|erase|clear-content|clc|remove-itemproperty|rp|clear-item|cli|clear-recyclebin)$/;
const vital =
  /^(?:[a-z]:[\\/]?\*?|[\\/]\*?|~[\\/]?\*?|\$home[\\/]?\*?|\$env:userprofile[\\/]?\*?|\$env:systemroot.*|\$env:windir.*|[a-z]:[\\/](?:windows|users|program files).*|\$env:systemdrive[\\/]?\*?)$/i;

/** The PowerShell dialect. Examples are judged with `shell: 'pwsh'`. */
export const pwshRules: readonly PwshRule[] = [
  {
    id: 'pwsh-delete-vital',
    level: 'blocked',
    sentence: 'Deletes the whole system, a drive, or home.',
    match: (command) =>
      removers.test(command.name) &&
      command.words.some((word) => /^-r|^\/s$/i.test(word)) &&
      command.words.slice(1).some((word) => vital.test(word)),
  },
  {
    id: 'pwsh-disk',
    level: 'blocked',
    sentence: 'Formats, clears or re-partitions a disk.',
    match: named(/^(?:format-volume|clear-disk|initialize-disk|remove-partition|set-disk|diskpart|format)$/),
  },
  {
    id: 'pwsh-store',
    level: 'blocked',
    sentence: "Touches Planwright's own store or approves for the person.",
    match: (command) =>
      /[\\/]\.?(?:local[\\/](?:share|state)[\\/])planwright\b/i.test(command.text) ||
      (command.name === 'planwright' && /^(?:approve|deny|trust)$/.test(command.words[1] ?? '')),
  },
  {
    id: 'pwsh-delete',
    level: 'dangerous',
    sentence: 'Deletes files, items or their content.',
    match: (command) =>
      removers.test(command.name) ||
      /\[(?:System\.)?IO\.(?:File|Directory)\]::(?:Delete|WriteAll\w+|Move|Replace)/i.test(command.text),
  },
  {
    id: 'pwsh-encoded',
    level: 'dangerous',
    sentence: 'Runs encoded or decoded text, so what would run cannot be seen.',
    match: (command) =>
      (/^(?:powershell|pwsh)$/.test(command.name) &&
        command.words.some((word) => /^[-/]e(?:c|n|nc|nco|ncod|ncode|ncoded\w*)?$/i.test(word))) ||
      /FromBase64String|-join\s*\(?\s*\[char\]|\[char\]\d+\s*\+|-bxor|\.Invoke\(\)|\[scriptblock\]::create/i.test(
        command.text,
      ),
  },
  {
    id: 'pwsh-evaluates',
    level: 'dangerous',
    sentence: 'Runs text, downloaded text, or a command whose name is only known when it runs.',
    needs: ['network'],
    match: (command) =>
      command.dynamic ||
      /^(?:invoke-expression|iex|invoke-command|icm|add-type|invoke-wmimethod|invoke-cimmethod)$/.test(
        command.name,
      ) ||
      /\.Download(?:String|File|Data)\(|Start-BitsTransfer|bitsadmin|Start-Process\s+[^|;]*(?:powershell|pwsh|cmd)\b|certutil.*-urlcache|mshta|regsvr32.*\/i:|rundll32|wscript|cscript/i.test(
        command.text,
      ) ||
      (command.piped && /^(?:powershell|pwsh|cmd|bash|sh|python\d?|node)$/.test(command.name)),
  },
  {
    id: 'pwsh-process',
    level: 'dangerous',
    sentence: 'Ends processes, stops services, or shuts the machine down.',
    match: named(
      /^(?:stop-process|spps|kill|stop-computer|restart-computer|stop-service|spsv|set-service|remove-service|suspend-service|taskkill|shutdown|logoff|stop-vm|remove-vm)$/,
    ),
  },
  {
    id: 'pwsh-system',
    level: 'dangerous',
    sentence: 'Changes the policy, registry, users, firewall, defences or scheduled tasks of the system.',
    reversible: true,
    match: (command) =>
      /^(?:set-executionpolicy|(?:new|set|remove|add|disable|enable|rename)-local(?:user|group|groupmember)|set-mppreference|add-mppreference|(?:new|set|remove|disable|enable)-netfirewall\w+|(?:register|unregister|set|disable)-scheduledtask|new-service|schtasks|vssadmin|bcdedit|wevtutil|clear-eventlog|uninstall-\w+|disable-\w+|set-acl|set-alias|sal|new-alias|nal|rename-computer|enable-psremoting|wmic|takeown|icacls|cipher|wbadmin|remove-ad\w+|set-ad\w+|reset-computermachinepassword|set-netipaddress|remove-netroute|disable-netadapter|set-dnsclientserveraddress)$/.test(
        command.name,
      ) ||
      (/\bH(?:KLM|KCU|KEY_\w+):?\\/i.test(command.text) &&
        /^(?:set-|new-|remove-|sp$|reg$)/.test(command.name) &&
        !/\bquery\b/i.test(command.text)) ||
      /^netsh .*\bset\b|-executionpolicy\s+(?:bypass|unrestricted)|-ep\s+bypass/i.test(command.text),
  },
  {
    id: 'pwsh-persistence',
    level: 'dangerous',
    sentence: 'Changes a profile, a system file or a user account.',
    reversible: true,
    match: (command) =>
      (/^(?:(?:set|add)-content|sc|ac|out-file|copy-item|cp|move-item|mv|new-item|ni|tee-object|copy|move)$/.test(
        command.name,
      ) &&
        /\$profile\b|[a-z]:[\\/](?:windows|program files)|[\\/]start menu[\\/]|[\\/]etc[\\/]/i.test(
          command.text,
        )) ||
      (/^net1?$/.test(command.name) && /\b(?:user|localgroup|share|stop)\b.*\S/i.test(command.text)),
  },
  {
    id: 'pwsh-secrets',
    level: 'dangerous',
    sentence: 'Reads a secret: a private key, credentials or an environment file.',
    match: (command) =>
      (/^(?:get-content|gc|cat|type|copy-item|cp|cpi|copy|compress-archive|select-string|sls|invoke-webrequest|iwr|invoke-restmethod|irm|curl)$/.test(
        command.name,
      ) &&
        /(?:\.ssh(?:$|[\s'"])|\.ssh[\\/]id_\w+(?!\.pub)\b|\.aws[\\/]credentials|(?:^|[\s\\/'"@])\.env(?:\.local|\.production)?(?:$|[\s'"])|\.git-credentials|ntds\.dit|[\\/]config[\\/](?:sam|system)\b|\.kube[\\/]config|\.npmrc|Login Data)/i.test(
          command.text,
        ) &&
        !/\.pub\b/.test(command.text)) ||
      /^(?:cmdkey|get-credential|mimikatz|export-pfxcertificate)$/.test(command.name),
  },
  {
    id: 'pwsh-cloud',
    level: 'dangerous',
    sentence: 'Removes something from a cloud, a cluster, a server or a package feed.',
    needs: ['network'],
    match: (command) =>
      /^(?:remove|stop|clear|reset|revoke|unpublish)-(?:az|aws|s3|ec2|rds|gc|mg|azure|k8s|docker|vm|sql|dns|db)\w*$/.test(
        command.name,
      ) || /-method\s+delete\b/i.test(command.text),
  },
];

/** Only read and print. Names are lower case. */
export const pwshSafe = new Set(
  'get-childitem gci ls dir get-item gi get-content gc cat type get-location gl pwd get-date get-process gps ps get-service gsv get-help man help get-command gcm get-member gm get-alias gal write-output echo write-host select-object select where-object where ? sort-object sort measure-object measure group-object group format-table ft format-list fl format-wide out-string out-null test-path resolve-path join-path split-path get-filehash compare-object select-string sls convertto-json convertfrom-json convertto-csv convertfrom-csv get-random get-culture get-host get-psdrive get-computerinfo get-hotfix get-volume get-disk get-netipaddress get-netadapter test-connection get-uptime get-timezone'.split(
    ' ',
  ),
);
