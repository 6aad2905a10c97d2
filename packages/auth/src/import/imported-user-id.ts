import { createHash } from 'node:crypto'

/**
 * The account of somebody that another system has called so: the same in every run, so that a second import finds the
 * first, and whoever holds their old ids can work out the new ones. It is a UUID of version 8 (RFC 9562).
 */
export function importedUserId(source: string, externalId: string) {
  const hash = createHash('sha256').update(JSON.stringify(['svc users import', source, externalId]))
  const hex = hash.digest('hex')
  const parts = [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `a${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ]
  return parts.join('-')
}
