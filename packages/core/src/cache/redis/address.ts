import { CacheConnectionError } from '../connection-error.ts'

export interface RedisAddress {
  host: string
  port: number
  username: string
  password: string
  db: number
  secure: boolean
  /** Before every key and channel, for applications that share one server: `?prefix=shop:`. */
  prefix: string
}

/** Reads `redis://user:password@host:6379/0?prefix=shop:`. */
export function readRedisAddress(url: string): RedisAddress {
  const parsed = URL.parse(url)
  const { protocol = '', hostname = '', port = '', pathname = '' } = parsed ?? {}
  const { prefix = '', ...unknown } = Object.fromEntries(parsed?.searchParams ?? [])
  const isUnderstood = /^rediss?:$/.test(protocol) && hostname !== '' && /^(\/\d*)?$/.test(pathname)
  if (!isUnderstood || Object.keys(unknown).length > 0) throw notUnderstood()
  return {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: Number(port || 6379),
    username: decode(parsed?.username),
    password: decode(parsed?.password),
    db: Number(pathname.slice(1)),
    secure: protocol === 'rediss:',
    prefix,
  }
}

function decode(text = '') {
  try {
    return decodeURIComponent(text)
  } catch {
    throw notUnderstood()
  }
}

/** The address is left out: it may hold a password. */
function notUnderstood() {
  return new CacheConnectionError(
    'CACHE_URL is not understood: write redis://user:password@host:6379/0, or rediss:// for TLS (special characters percent-encoded); ?prefix=name: keeps applications apart.',
  )
}
