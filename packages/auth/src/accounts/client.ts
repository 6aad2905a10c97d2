// Letters, digits and marks of any script. The conversion of domains parses a URL: it would stop at
// a slash, decode %40 and drop a tab, and so return another domain than the one that was checked.
const anyDomain = /^[\p{L}\p{M}\p{N}.\u3002-]+$/u
const label = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?'
// The last label has a letter: an address of only numbers is a machine's, and may be this one's.
const inAscii = new RegExp(`^(?:${label}\\.)*(?=[0-9-]*[a-z])${label}$`)

/** A domain in lower case and punycode, as addresses are stored and compared. Empty if it is none. */
export function asciiDomain(given: string): string {
  // NFKC runs a second time after lower-casing, which can leave what NFKC would still compose.
  const domain = given.normalize('NFKC').toLowerCase().normalize('NFKC')
  const ascii = anyDomain.test(domain) ? hostOf(domain) : ''
  return inAscii.test(ascii) ? ascii : ''
}

/** Browsers of 2023 have no `URL.parse`. */
function hostOf(domain: string) {
  try {
    return new URL(`http://${domain}`).hostname
  } catch {
    return ''
  }
}
