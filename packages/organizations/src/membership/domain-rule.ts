import { asciiDomain } from '@svc/auth'
import { ValidationError } from '@svc/core/contract'

// A domain is compared as a whole: a subdomain is another domain. Pages compare by this rule too.

/** The domain of a stored address. */
export const domainOf = (email: string) => email.slice(email.lastIndexOf('@') + 1)

/** Whether an address is of one of these domains, which are as `normalDomain` returns them. */
export const isOfDomains = (domains: readonly string[], email: string | null) =>
  email !== null && domains.includes(domainOf(email))

/** A domain in lower case and punycode, as it is in a stored address. */
export function normalDomain(given: string, path: string) {
  const domain = asciiDomain(given.trim())
  if (domain === '') throw invalidDomain(path, 'Enter a domain such as acme.example.')
  return domain
}

export const invalidDomain = (path: string, message: string) =>
  new ValidationError({ fields: [{ path, message }] })
