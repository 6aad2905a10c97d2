import { join, relative } from 'node:path'
import { hostsOf } from '@svc/core/database'
import { aligned } from '../terminal.ts'

/** The parts of an address that psql understands. The driver accepts more. */
const ofPsql = ['host', 'user', 'sslmode', 'sslrootcert', 'sslcert', 'sslkey', 'options']

/**
 * How to connect to a running server, in words and as psql's argument. `given` is the DATABASE_URL.
 */
export function connectionOf(url: string, given: string) {
  const several = hostsOf(url)
  const one = several?.[0] ?? url
  const { hostname, port, username, password, pathname, searchParams } = new URL(one)
  const host = searchParams.get('host') ?? decodeURIComponent(hostname).replace(/^\[|\]$/g, '')
  const isEmbedded = given.startsWith('embedded:')
  const rows = [
    ...(several
      ? [
          [
            'Hosts',
            `${placesOf(several).map(decodeURIComponent).join(', ')}: the one that takes writes`,
          ],
        ]
      : [
          [host.startsWith('/') ? 'Socket in' : 'Host', host],
          ['Port', port || '5432'],
        ]),
    ['User', searchParams.get('user') ?? (decodeURIComponent(username) || 'from PGUSER')],
    ['Database', decodeURIComponent(pathname.slice(1))],
    ['Password', isEmbedded ? `in the file ${passwordFile(given)}` : 'as in DATABASE_URL'],
  ]
  const description = aligned(rows)
    .map((row) => row.join('   '))
    .join('\n')
  const address = several ? addressOfSeveral(several) : addressOf(url)
  const secret = searchParams.get('password') ?? decodeURIComponent(password)
  return { description, address, password: secret }
}

const placesOf = (urls: readonly string[]) => urls.map((url) => new URL(url).host)

/** For psql, which chooses a host by the same rule. */
function addressOfSeveral(urls: readonly string[]) {
  const address = new URL(addressOf(urls[0] ?? ''))
  address.searchParams.set('target_session_attrs', 'read-write')
  const user = address.username && `${address.username}@`
  // The user may have the same name as the host.
  return address.href.replace(
    `//${user}${address.host}`,
    () => `//${user}${placesOf(urls).join(',')}`,
  )
}

function passwordFile(given: string) {
  const [directory = ''] = given.slice('embedded:'.length).split('?')
  return relative('.', join(directory, 'pg', 'svc.password'))
}

function addressOf(url: string) {
  const address = new URL(url)
  address.password = ''
  const names = [...address.searchParams.keys()]
  for (const name of names.filter((each) => !ofPsql.includes(each))) {
    address.searchParams.delete(name)
  }
  return address.href
}
