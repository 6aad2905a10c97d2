import { afterEach, beforeEach } from 'vitest'
import { createLogger } from '../observation/logger.ts'
import { connectDatabase, type Database } from './server.ts'
import { startTestPair, type TestPair } from './test-pair.ts'

const opened: Database[] = []

/** A primary and a standby for each test, which may take over. */
export function usePair() {
  const log = createLogger({ level: 'silent' })

  let pair: TestPair

  beforeEach(async () => {
    pair = await startTestPair()
  }, 60_000)
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((database) => database.close()))
    await pair.stop()
  })

  async function open(url: string) {
    const database = await connectDatabase(url, { log })
    opened.push(database)
    return database
  }
  return {
    log,
    get pair() {
      return pair
    },
    open,
  }
}
