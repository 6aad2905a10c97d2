import { once } from 'node:events'
import { connect } from 'node:net'
import type { TestRedis } from '@svc/core/testing'

/** Everything that is kept: by cursor, and by whatever a key is. */
const everything = `
local all, cursor = {}, '0'
local read = {
  string = function(key) return redis.call('GET', key) end,
  hash = function(key) return redis.call('HGETALL', key) end,
  list = function(key) return redis.call('LRANGE', key, 0, -1) end,
  set = function(key) return redis.call('SMEMBERS', key) end,
  zset = function(key) return redis.call('ZRANGE', key, 0, -1) end,
  stream = function(key) return redis.call('XRANGE', key, '-', '+') end,
}
repeat
  local page = redis.call('SCAN', cursor, 'COUNT', 1000)
  cursor = page[1]
  for _, key in ipairs(page[2]) do
    table.insert(all, key)
    table.insert(all, read[redis.call('TYPE', key).ok](key))
  end
until cursor == '0'
return all`

/** What a Redis keeps now, as it answers it. */
export async function dumpRedis(redis: Pick<TestRedis, 'port'>): Promise<string> {
  return ask(redis, ['EVAL', everything, '0'])
}

/** Sends one command, for a test to put something there. */
export async function ask({ port }: Pick<TestRedis, 'port'>, command: readonly string[]) {
  const socket = connect(port, '127.0.0.1')
  for (const words of [command, ['QUIT']]) {
    socket.write(`*${words.length}\r\n`)
    for (const word of words) socket.write(`$${Buffer.byteLength(word)}\r\n${word}\r\n`)
  }
  return Buffer.concat(await socket.toArray()).toString()
}

/** Every command that a Redis is given from now on: what is kept for a moment, and what is published, goes by here. */
export async function watchRedis({ port }: Pick<TestRedis, 'port'>) {
  const socket = connect(port, '127.0.0.1')
  let seen = ''
  socket.setEncoding('utf8').on('data', (text: string) => {
    seen += text
  })
  socket.write('MONITOR\r\n')
  await once(socket, 'data')
  return { seen: () => seen, stop: () => socket.destroy() }
}
