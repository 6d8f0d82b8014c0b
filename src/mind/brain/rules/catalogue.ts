import { gzipEnding, tarOfZip, tarOrder, unzipOfTar } from './archives.ts';
import * as build from './build.ts';
import { notBuilt, testsNotBuilt } from './built.ts';
import { listedChoice, nearestChoice, usageChoice } from './choices.ts';
import * as compile from './compile.ts';
import * as files from './files.ts';
import * as flags from './flags.ts';
import * as foreign from './foreign.ts';
import * as branches from './git-branches.ts';
import * as tree from './git-tree.ts';
import * as words from './git-words.ts';
import * as inside from './inside.ts';
import { misspeltLibrary } from './libraries.ts';
import { awkBrace, findEnd, jqKey, testBracket } from './little-languages.ts';
import { asciiOnly } from './locale.ts';
import * as parents from './missing-parents.ts';
import * as path from './missing-path.ts';
import * as program from './missing-program.ts';
import * as network from './network.ts';
import * as node from './node.ts';
import * as pasted from './pasted.ts';
import { perlLibrary } from './perl.ts';
import * as privilege from './privilege.ts';
import { manifestElsewhere } from './project.ts';
import { promptAnswers } from './prompt-answers.ts';
import { answersPrompt, gitNoEdit, promptNamesFlag } from './prompts.ts';
import * as python from './python.ts';
import { misspeltModule, misspeltTests, partOfPackage } from './python-run.ts';
import type { MendingRule } from './rule.ts';
import * as scripts from './scripts.ts';
import { submoduleAbsent } from './submodules.ts';
import { toolSuggests } from './suggestion.ts';
import * as around from './surroundings.ts';
import * as system from './system.ts';
import { toldToRun } from './told-to-run.ts';
import * as typed from './typed.ts';
import { namesThroughXargs, unquotedName } from './unquoted-name.ts';
import { misspeltWorkspace } from './workspaces.ts';

/** General mechanisms first: where a rule of a family is as sure as they are, they win. */
export const rules: readonly MendingRule[] = [
  pasted.fencedCommand,
  pasted.promptInCommand,
  pasted.nonBreakingSpace,
  pasted.typographicQuotes,
  flags.typographicDash,
  typed.strayKey,
  program.programTwice,
  toolSuggests,
  nearestChoice,
  usageChoice,
  listedChoice,
  flags.nearestFlag,
  toldToRun,
  unquotedName,
  namesThroughXargs,
  foreign.bsdInPlace,
  foreign.bsdDecode,
  foreign.sudoForRoot,
  python.noEnvironment,
  notBuilt,
  testsNotBuilt,
  path.nearestPath,
  parents.mkdirParents,
  parents.missingParents,
  path.fileElsewhere,
  inside.missingFolderInside,
  files.executeBit,
  inside.executeBitInside,
  program.otherName,
  program.localProgram,
  typed.scriptByName,
  system.hyphenForSpace,
  foreign.standIn,
  program.misspelt,
  program.missingPackage,
  program.bareRepository,
  scripts.carriageReturns,
  scripts.missingShebang,
  scripts.scriptForBash,
  scripts.foreignInterpreter,
  scripts.missingInterpreter,
  scripts.unterminatedQuote,
  files.copyFolder,
  files.grepFolder,
  files.grepOrder,
  files.listFolder,
  files.removeEmptyFolder,
  files.hardLinkToFolder,
  files.linkExists,
  files.patchStrip,
  files.cdIntoFile,
  files.unquotedPattern,
  files.sedUnterminated,
  files.proveRecursively,
  files.tarCompression,
  unzipOfTar,
  tarOfZip,
  tarOrder,
  gzipEnding,
  awkBrace,
  jqKey,
  findEnd,
  testBracket,
  typed.enterNewFolder,
  typed.hostOfAddress,
  typed.registeredName,
  typed.openAddress,
  typed.phpServer,
  typed.namedFlag,
  typed.longHelp,
  typed.linkOrder,
  around.portInUse,
  around.missingEnvironment,
  around.outOfMemory,
  answersPrompt,
  promptNamesFlag,
  promptAnswers,
  gitNoEdit,
  privilege.asksForRoot,
  privilege.notAsRoot,
  privilege.pathOfUser,
  branches.noUpstream,
  branches.unknownBranch,
  branches.unknownRemote,
  branches.tagNotFetched,
  branches.fetchFirst,
  branches.divergent,
  branches.unrelatedHistories,
  tree.dirty,
  tree.notARepository,
  tree.identity,
  tree.staleLock,
  tree.branchExists,
  branches.cloneTwice,
  tree.addMissing,
  tree.pathspecAdd,
  tree.rmFolder,
  branches.remoteExists,
  tree.flagAfterFile,
  words.addIgnored,
  words.removeChanged,
  words.diffOutside,
  words.stashMessage,
  words.helpOfAlias,
  words.nothingToContinue,
  words.pushByOtherName,
  submoduleAbsent,
  words.messageUnquoted,
  words.remoteBefore,
  words.newBranch,
  words.branchMadeTwice,
  node.missingScript,
  misspeltWorkspace,
  node.scriptWithoutRun,
  node.yarnWords,
  node.peerConflict,
  node.lockMismatch,
  node.notInstalled,
  manifestElsewhere,
  asciiOnly,
  misspeltModule,
  misspeltTests,
  partOfPackage,
  python.missingModule,
  python.externallyManaged,
  python.userInstall,
  python.noVenv,
  python.scriptExtension,
  perlLibrary,
  build.makeTarget,
  build.makeVariable,
  compile.missingLibrary,
  misspeltLibrary,
  compile.otherSource,
  compile.missingHeader,
  compile.cmakeConfigure,
  compile.runConfigure,
  build.goGet,
  build.goFile,
  build.javaClass,
  build.notCompiled,
  build.classElsewhere,
  build.wrapperScript,
  system.aptUpdate,
  system.dpkgInterrupted,
  system.systemctlOrder,
  system.unknownUnit,
  system.daemonReload,
  system.dockerDaemon,
  system.terraformInit,
  network.misspeltProtocol,
  network.missingCertificates,
  network.keyTooOpen,
  network.sshPort,
  network.transientFailure,
];
