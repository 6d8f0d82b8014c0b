/** PowerShell's approved verbs. A cmdlet with another verb is invented. */
const VERBS = `Add Approve Assert Backup Block Build Checkpoint Clear Close Compare Complete Compress Confirm Connect Convert
ConvertFrom ConvertTo Copy Debug Deny Deploy Disable Disconnect Dismount Edit Enable Enter Exit Expand Export Find ForEach Format
Get Grant Group Hide Import Initialize Install Invoke Join Limit Lock Measure Merge Mount Move New Open Optimize Out Ping Pop
Protect Publish Push Read Receive Redo Register Remove Rename Repair Request Reset Resize Resolve Restart Restore Resume Revoke
Save Search Select Send Set Show Skip Sort Split Start Step Stop Submit Suspend Switch Sync Tee Test Trace Unblock Undo
Uninstall Unlock Unprotect Unpublish Unregister Update Use Wait Watch Where Write`;

/** The cmdlets that come with PowerShell 7, by verb. */
const CMDLETS = `Add: Content History Member Type
Clear: Content History Item ItemProperty Variable Host RecycleBin
Compare: Object
Compress: Archive
Connect: PSSession WSMan
Convert: Path String
ConvertFrom: Csv Json Markdown SddlString SecureString StringData
ConvertTo: Csv Html Json SecureString Xml
Copy: Item ItemProperty
Debug: Job Process Runspace
Disable: ExperimentalFeature PSBreakpoint PSRemoting PSSessionConfiguration RunspaceDebug
Disconnect: PSSession WSMan
Enable: ExperimentalFeature PSBreakpoint PSRemoting PSSessionConfiguration RunspaceDebug
Enter: PSHostProcess PSSession
Exit: PSHostProcess PSSession
Expand: Archive
Export: Alias Clixml Csv FormatData ModuleMember PSSession
Find: Command DscResource Module Package PackageProvider PSResource RoleCapability Script
ForEach: Object
Format: Custom Hex List Table Wide
Get: Acl Alias AuthenticodeSignature ChildItem Clipboard CmsMessage Command ComputerInfo Content Credential Culture Date Error
Get: Event EventSubscriber ExecutionPolicy ExperimentalFeature FileHash FormatData Help History Host HotFix InstalledModule
Get: InstalledPSResource InstalledScript Item ItemProperty ItemPropertyValue Job Location MarkdownOption Member Module Package
Get: PackageProvider PackageSource PfxCertificate Process PSBreakpoint PSCallStack PSDrive PSHostProcessInfo PSProvider
Get: PSReadLineOption PSReadLineKeyHandler PSRepository PSResourceRepository PSSession PSSessionConfiguration Random Runspace
Get: RunspaceDebug SecureRandom Service TimeZone TraceSource TypeData UICulture Unique Uptime Variable Verb WinEvent CimInstance
Get: CimClass CimAssociatedInstance CimSession
Group: Object
Import: Alias Clixml Csv LocalizedData Module PackageProvider PowerShellDataFile PSSession
Install: Module Package PackageProvider PSResource Script
Invoke: CimMethod Command Expression History Item RestMethod WebRequest WSManAction
Join: Path String
Measure: Command Object
Move: Item ItemProperty
New: Alias CimInstance CimSession Event FileCatalog Guid Item ItemProperty Module ModuleManifest Object PSDrive PSSession
New: PSSessionOption PSTransportOption PSRoleCapabilityFile PSSessionConfigurationFile ScriptFileInfo Service TemporaryFile
New: TimeSpan Variable WebServiceProxy WinEvent
Out: Default File GridView Host Null Printer String
Pop: Location
Protect: CmsMessage
Publish: Module PSResource Script
Push: Location
Read: Host
Receive: Job PSSession
Register: ArgumentCompleter CimIndicationEvent EngineEvent ObjectEvent PackageSource PSRepository PSResourceRepository
Register: PSSessionConfiguration
Remove: Alias CimInstance CimSession Event Item ItemProperty Job Module PSBreakpoint PSDrive PSReadLineKeyHandler PSSession
Remove: Service TypeData Variable
Rename: Computer Item ItemProperty
Resolve: Path
Restart: Computer Service
Resume: Service Job
Save: Help Module Package PSResource Script
Select: Object String Xml
Send: MailMessage
Set: Acl Alias AuthenticodeSignature CimInstance Clipboard Content Date ExecutionPolicy Item ItemProperty Location MarkdownOption
Set: PackageSource PSBreakpoint PSDebug PSReadLineKeyHandler PSReadLineOption PSRepository PSResourceRepository
Set: PSSessionConfiguration Service StrictMode TimeZone TraceSource Variable
Show: Command Markdown
Sort: Object
Split: Path
Start: Job Process Service Sleep ThreadJob Transcript
Stop: Computer Job Process Service Transcript
Suspend: Service Job
Switch: Process
Tee: Object
Test: Connection FileCatalog Json ModuleManifest Path PSScriptFileInfo PSSessionConfigurationFile WSMan
Trace: Command
Unblock: File
Uninstall: Module Package PSResource Script
Unprotect: CmsMessage
Unregister: Event PackageSource PSRepository PSResourceRepository PSSessionConfiguration
Update: FormatData Help List Module ModuleManifest PSResource Script TypeData
Wait: Debugger Event Job Process
Where: Object
Write: Debug Error Host Information Output Progress Verbose Warning`;

const verbs = new Set(VERBS.split(/\s+/).map((verb) => verb.toLowerCase()));

const names: readonly string[] = CMDLETS.split('\n').flatMap((line) => {
  const [verb, nouns = ''] = line.split(': ');
  return nouns.split(' ').map((noun) => `${verb}-${noun}`);
});
const lowered = new Set(names.map((name) => name.toLowerCase()));

export const isApprovedVerb = (verb: string): boolean => verbs.has(verb.toLowerCase());
export const isCmdlet = (name: string): boolean => lowered.has(name.toLowerCase());
export const cmdletNames = (): readonly string[] => names;
