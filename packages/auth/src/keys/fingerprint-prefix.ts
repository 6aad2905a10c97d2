/** What is shown of a key's fingerprint: enough for its owner to tell two devices apart. */
export function fingerprintPrefix(fingerprint: string) {
  return fingerprint.slice(0, 8)
}
