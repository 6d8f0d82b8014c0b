import { programs, verbs } from '../table.ts';

/** Programs of macOS that show its state. */
export const macRows = [
  ...verbs(
    'defaults',
    '',
    `
    read, read-type, find ; -app=name -g -globalDomain ; plain
    domains, help ;
  `,
    { single: true, kinds: { plain: /^[\w. -]+$/ } },
  ),
  ...verbs(
    'diskutil',
    '',
    `
    list, info, information, listFilesystems ; -plist -all ; disk 1
  `,
    {
      single: true,
      kinds: { disk: /^(?:disk\w+|\/dev\/disk\w+|\/|\/Volumes\/[^/]+|internal|external|physical|virtual)$/ },
    },
  ),
  ...verbs(
    'launchctl',
    '',
    `
    list, print, blame, print-disabled ; ; service 1
    version, managername, managerpid, manageruid, help, hostinfo ;
  `,
    { kinds: { service: /^(?!.*(?:TOKEN|SECRET|PASS|KEY))[\w./-]+$/i } },
  ),
  ...programs(
    `
    networksetup ; !-listallnetworkservices !-listallhardwareports !-listnetworkserviceorder !-listBonds
      !-listdevicesthatsupportVLAN !-listpppoeservices !-listlocations !-getcomputername !-getcurrentlocation !-version
      !-help !-printcommands ;
    networksetup ; !-getinfo= !-getmacaddress= !-getMTU= !-getmedia= !-listvalidMTUrange= !-listvalidmedia= !-getwebproxy=
      !-getsecurewebproxy= !-getsocksfirewallproxy= !-getautoproxyurl= !-getproxyautodiscovery= !-getproxybypassdomains=
      !-getdnsservers= !-getsearchdomains= !-getairportnetwork= !-getairportpower= !-getadditionalroutes=
      !-getv6additionalroutes= !-getnetworkserviceenabled= !-showpppoestatus= !-listpreferredwirelessnetworks= ;
    lipo ; !-info !-archs !-detailed_info ; files 1+
    xcode-select ; !-p !-print-path !-v !-version ;
    sw_vers ; -productName -productVersion -buildVersion ;
  `,
    { single: true },
  ),
  ...programs(
    `
    scutil ; !--dns !--proxy !--nwi !--get=setting ;
    scutil ; !-r -W ; host 1-1
    spctl ; !--status ;
    spctl ; !-a !--assess -v --verbose? -t=name --type=name ; file 1-1
    pkgutil ; !--pkgs? !--groups !--group-pkgs=name !--files=name !--pkg-info=name !--pkg-info-plist=name !--export-plist=name
      !--lsbom=name !--file-info= !--volumes --only-files --only-dirs --regexp ;
    sips ; !-g=name !--getProperty=name ; files 1-1
    codesign ; !-d !--display -v --verbose? ; file 1-1
    xattr ; -lrsvx ; files 1+
    caffeinate ; -dimsu -t=num ;
  `,
    { kinds: { setting: /^(?:ComputerName|LocalHostName|HostName)$/ } },
  ),
  ...verbs(
    'tmutil',
    '',
    `
    version, latestbackup, machinedirectory, destinationinfo, status, listbackups ; -m -t -X
    isexcluded, uniquesize, verifychecksums, calculatedrift, listlocalsnapshots, listlocalsnapshotdates ; -X ; files 1
    help ; ; name 1
  `,
  ),
  ...verbs('profiles', '', 'status, list, show, version ; -type=name -user=name -all -cached', {
    single: true,
  }),
  ...verbs('hdiutil', '', 'imageinfo, isencrypted, info, plugins ; -plist ; local 1', { single: true }),
  ...verbs(
    'security',
    '',
    `
    list-keychains, list-smartcards, error, help, show-keychain-info ; -h ; name 1
    find-certificate ; -apZ -ce=
    dump-trust-settings ; -sd
    translocate-policy-check, translocate-status-check ; ; files 1-1
  `,
  ),
];
