import { afterAll, beforeAll, describe, it } from 'vitest'
import { startTestPostgres, type TestPostgres } from '../../database/test-postgres.ts'
import { expectBridged, startPair } from './outage.ts'

let postgres: TestPostgres
let pair: Awaited<ReturnType<typeof startPair>>

describe('streams of two instances while PostgreSQL, which carries their events,', () => {
  beforeAll(async () => {
    postgres = await startTestPostgres()
    pair = await startPair({ CACHE_URL: 'postgres:', DATABASE_URL: postgres.url })
  })
  afterAll(async () => {
    await pair.stop()
    await postgres.stop()
  })

  it(
    'is stalled for 5 s stay open and get all of their own instance, and the others’ again within 10 s',
    () => expectBridged(pair, { begin: postgres.pause, end: postgres.resume, millis: 5000 }),
    60_000,
  )

  it(
    'is killed stay open and get all of their own instance, and the others’ again within 10 s',
    () =>
      expectBridged(pair, {
        begin: () => postgres.kill(),
        end: () => postgres.restart(),
        millis: 0,
      }),
    60_000,
  )
})
