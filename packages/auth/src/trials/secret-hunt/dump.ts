import { dumpTables } from '../attacks/dump-tables.ts'
import type { Application } from './application.ts'
import { dumpRedis } from './redis-dump.ts'
import type { Scenario } from './scenario.ts'

export type Place = keyof Awaited<ReturnType<typeof dump>>

/** Everything that a server leaves behind or tells others, as text. */
export async function dump(app: Application, { refusals }: Pick<Scenario, 'refusals'>) {
  await app.auth.keyUse.flush()
  const documents = ['/_core/openapi.json', '/_core/asyncapi.json'].map(async (path) => {
    const answer = await app.fetch(path)
    if (!answer.ok) throw new Error(`${path} is answered ${answer.status}.`)
    return answer.text()
  })
  return {
    tables: await dumpTables(app.auth.db),
    redis: await dumpRedis(app.redis),
    'commands to Redis': app.watch.seen(),
    log: [...app.server.logged, ...app.other.logged].map((line) => JSON.stringify(line)).join('\n'),
    events: JSON.stringify(app.told),
    documents: (await Promise.all(documents)).join('\n'),
    refusals: refusals.join('\n'),
  }
}
