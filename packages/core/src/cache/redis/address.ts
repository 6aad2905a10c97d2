import { CacheConnectionError } from '../connection-error.ts'

export interface RedisNode {
  host: string
  port: number
}

export interface RedisAddress {
  /** Whether the nodes are one server, Sentinels that know where the primary is, or nodes of a Cluster. */
  kind: 'server' | 'sentinel' | 'cluster'
  nodes: [RedisNode, ...RedisNode[]]
  username: string
  password: string
  db: number
  secure: boolean
  /**
   * It is put before every key and channel, for applications that share one server:
   * `?prefix=shop:`.
   */
  prefix: string
  sentinel: {
    /** The name that Sentinels have for the primary. */
    name: string
    username: string
    password: string
  }
}

const shape =
  /^redis(?<secure>s?)(?:\+(?<engine>sentinel|cluster))?:\/\/(?:(?<user>[^/?#]*)@)?(?<hosts>[^@/?#]+)(?:\/(?<db>\d*))?(?:\?(?<query>[^#]*))?$/

/**
 * Reads `redis://user:password@host:6379/0?prefix=shop:`, `redis+sentinel://host:26379,host2:26379/0?name=mymaster` and
 * `redis+cluster://host:6379,host2:6379`.
 */
export function readRedisAddress(url: string): RedisAddress {
  const parts = shape.exec(url)?.groups ?? {}
  const { secure, engine, user = '', hosts = '', db = '', query = '' } = parts
  const kind = engine === 'sentinel' || engine === 'cluster' ? engine : 'server'
  const [username = '', password = ''] = /^([^:]*):?(.*)$/s.exec(user)?.slice(1).map(decode) ?? []
  const address: RedisAddress = {
    kind,
    nodes: readNodes(hosts, kind),
    username,
    password,
    db: Number(db),
    secure: secure === 's',
    ...readQuery(query, kind),
  }
  return kind === 'cluster' ? inOneSlot(address) : address
}

function readNodes(hosts: string, kind: RedisAddress['kind']) {
  const [first, ...others] = hosts.split(',').map((host) => {
    const { hostname = '', port = '' } = URL.parse(`redis://${host}`) ?? {}
    if (hostname === '') throw notUnderstood()
    const initial = kind === 'sentinel' ? 26_379 : 6379
    return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || initial) }
  })
  if (!first) throw notUnderstood()
  if (kind === 'server' && others.length > 0) {
    throw new CacheConnectionError(
      'CACHE_URL names several servers: write redis+sentinel:// before Sentinels, or redis+cluster:// before nodes of a Cluster.',
    )
  }
  return [first, ...others] satisfies RedisAddress['nodes']
}

function readQuery(query: string, kind: RedisAddress['kind']) {
  const given = Object.fromEntries(new URLSearchParams(query))
  const { prefix = '', name = '', sentinelUsername = '', sentinelPassword = '', ...unknown } = given
  const isOfSentinels = name + sentinelUsername + sentinelPassword !== ''
  if (Object.keys(unknown).length > 0 || (isOfSentinels && kind !== 'sentinel'))
    throw notUnderstood()
  if (kind === 'sentinel' && name === '') {
    throw new CacheConnectionError(
      'CACHE_URL names Sentinels, but not their primary: add its name, such as ?name=mymaster.',
    )
  }
  return { prefix, sentinel: { name, username: sentinelUsername, password: sentinelPassword } }
}

/** A Cluster keeps keys with one text in braces on one node. So a script may use several, and nothing is in two places. */
function inOneSlot(address: RedisAddress): RedisAddress {
  if (address.db > 0) {
    throw new CacheConnectionError(
      `A Cluster has only database 0: remove /${address.db} from CACHE_URL, and keep applications apart by ?prefix=name:.`,
    )
  }
  if (/[{}]/.test(address.prefix)) {
    throw new CacheConnectionError(
      'The prefix of a Cluster in CACHE_URL has braces: remove them, because Svc adds them itself.',
    )
  }
  return { ...address, prefix: `{${address.prefix || 'svc'}}` }
}

function decode(text: string) {
  try {
    return decodeURIComponent(text)
  } catch {
    throw notUnderstood()
  }
}

/** The message leaves the address out: it may contain a password. */
function notUnderstood() {
  return new CacheConnectionError(
    'CACHE_URL is not understood: write redis://user:password@host:6379/0, or rediss:// for TLS (special characters percent-encoded); ?prefix=name: keeps applications apart. Sentinels are redis+sentinel://, a Cluster is redis+cluster://.',
  )
}
