import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, it, vi } from 'vitest'
import { defineJob } from './jobs.ts'
import { useTestJobs } from './test-jobs.ts'

const jobs = useTestJobs()

it('gives the job of a killed instance to another one within three minutes', async () => {
  const at = (path: string) => new URL(path, import.meta.url).href
  const program = `
    import { connectDatabase } from '${at('../database/server.ts')}'
    import { systemClock } from '${at('../clock/clock.ts')}'
    import { createLogger } from '${at('../observation/logger.ts')}'
    import { defineJob } from '${at('./jobs.ts')}'
    import { startJobs } from '${at('./server.ts')}'
    const log = createLogger({ level: 'silent' })
    const database = await connectDatabase('${jobs.database.url}', { log })
    const job = defineJob('orphan').handler(() => new Promise(() => console.log('running')))
    await startJobs([job], { database, log, clock: systemClock })
    await job.enqueue()`
  const flags = ['--conditions=svc-source', '--input-type=module', '-e', program]
  const child = spawn(process.execPath, flags, { stdio: ['ignore', 'pipe', 'inherit'] })
  await once(child.stdout, 'data')
  child.kill('SIGKILL')
  await once(child, 'exit')

  const attempts: number[] = []
  const orphan = defineJob('orphan').handler((_, { attempt }) => void attempts.push(attempt))
  await jobs.start({ orphan })
  await vi.waitFor(() => expect(attempts).toEqual([2]), 180_000)
}, 200_000)
