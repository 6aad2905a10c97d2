import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { startTestRedis } from '../../cache/test-redis.ts'
import { CheapStream } from './crowd.ts'
import { type Instance, startInstance } from './instance.ts'

/** Two instances of an application that authenticates users itself, with Redis between them. */
export async function startTwo() {
  const directory = await mkdtemp(join(tmpdir(), 'svc-streams-'))
  const revokedFile = join(directory, 'revoked')
  await writeFile(revokedFile, '')
  const redis = await startTestRedis()
  const start = () => startInstance({ revokedFile }, { CACHE_URL: redis.url })
  const [here, there] = await Promise.all([start(), start()])
  return {
    redis,
    here,
    there,
    async stop() {
      await Promise.all([here.kill(), there.kill()])
      await redis.stop()
      await rm(directory, { recursive: true })
    },
  }
}

/** A stream of a key, and when it ended. */
export async function openWatched({ port }: Instance, key: string) {
  const stream = new CheapStream(port)
  await stream.open({ port, user: 'u1', key })
  let endedAt: number | undefined
  const finished = new Promise<void>((resolve) => {
    stream.socket.on('data', () => {
      if (!stream.isComplete) return
      endedAt ??= performance.now()
      resolve()
    })
  })
  return { stream, finished, endedAt: () => endedAt }
}
