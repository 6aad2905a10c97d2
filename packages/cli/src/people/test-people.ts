import { join } from 'node:path'
import { afterAll, beforeAll, onTestFinished, vi } from 'vitest'
import { main } from '../main.ts'
import { type Board, startBoard } from '../testing/board.ts'

export const code = /^ {2}([A-Z0-9]{4}-[A-Z0-9]{4})$/m
export const patience = { timeout: 60_000 }

/** A board with its API, and the command beside it. */
export function useBoard() {
  let board: Board
  beforeAll(async () => {
    board = await startBoard()
  }, 60_000)
  afterAll(() => board.stop())

  /** Runs a command as it is typed, in this process: each process of its own takes a second to start. */
  async function svc(...args: string[]) {
    vi.stubEnv('XDG_CONFIG_HOME', board.env.XDG_CONFIG_HOME)
    onTestFinished(() => void vi.unstubAllEnvs())
    const printed = { stdout: '', stderr: '' }
    const log = vi.spyOn(console, 'log').mockImplementation((text: string) => {
      printed.stdout += `${text}\n`
    })
    const error = vi.spyOn(console, 'error').mockImplementation((text: string) => {
      printed.stderr += `${text}\n`
    })
    try {
      const place = args.includes('--server')
        ? []
        : ['--server', join(board.application.root, 'server.ts')]
      const api = args.includes('--api') ? [] : ['--api', board.url]
      return { code: await main([...args, ...place, ...api]), ...printed }
    } finally {
      log.mockRestore()
      error.mockRestore()
    }
  }
  return {
    get board() {
      return board
    },
    svc,
  }
}
