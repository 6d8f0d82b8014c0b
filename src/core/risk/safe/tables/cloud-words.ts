/** Nouns whose listing is the secret itself. */
export const secretNoun =
  /(?:^|-)(?:keys?|tokens?|passwords?|credentials?|secrets?|connection-strings?|authorization|auth|login|access-details|instance-access|compute-access|device-identity|user-?data|appsettings|certificate-export|publishing|plaintext)(?:-|$)/;

/** A value that is text: no file is read for it, and no address asked. */
export const text = /^(?!.*(?:file|fileb|https?):\/\/)(?!@)/is;
