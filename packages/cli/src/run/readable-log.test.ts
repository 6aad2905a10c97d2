import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import { readableLog } from './readable-log.ts'

function shown(...lines: (string | object)[]) {
  const written: string[] = []
  const log = readableLog((line) => written.push(line))
  const time = '2026-01-01T00:00:00.000Z'
  for (const line of lines) {
    log.write(typeof line === 'string' ? line : JSON.stringify({ level: 'info', time, ...line }))
  }
  log.end()
  return written
}

const route = pathToFileURL(resolve('api/routes/orders.ts')).href
const stack = [
  'Error: Failed query: select "id" from "orders"',
  'params: [redacted]',
  '    at run (file:///app/node_modules/pg/session.js:41:15)',
  '    at process.processTicksAndRejections (node:internal/process/task_queues:104:5)',
  `    at async ${route}:9:21`,
  'caused by: error: relation "orders" does not exist',
  '    at /app/node_modules/pg-pool/index.js:45:11',
].join('\n')

describe('the log in a terminal', () => {
  it('says what happened, then the facts', () => {
    expect(
      shown(
        { url: 'http://localhost:8790', msg: 'listening' },
        { job: 'tidy', count: 2, msg: 'tidied' },
      ),
    ).toEqual(['listening url=http://localhost:8790', 'tidied job=tidy count=2'])
  })

  it('shows an error with what to do, and the lines of the application’s own code', () => {
    const err = {
      type: 'DrizzleQueryError',
      message: 'Failed query: select "id" from "orders"\nparams: [redacted]',
      stack,
    }
    const asked = { requestId: 'r-1', method: 'GET', url: '/orders', status: 500 }
    const hint = 'The database lacks this table or column.'
    expect(shown({ level: 'error', err, ...asked, hint, msg: 'request failed' })).toEqual([
      'error: request failed GET /orders 500 requestId=r-1',
      '  The database lacks this table or column.',
      '  DrizzleQueryError: Failed query: select "id" from "orders"',
      '  params: [redacted]',
      '      at async api/routes/orders.ts:9:21',
      '  caused by: error: relation "orders" does not exist',
    ])
  })

  it('shows the whole stack of an error that has no line of the application', () => {
    const inside = ['TypeError: no', '    at run (node:net:1:1)', '    at node:net:2:2']
    const err = { type: 'TypeError', message: 'no', stack: inside.join('\n') }
    expect(shown({ level: 'error', err, msg: 'a job failed' })).toEqual([
      'error: a job failed',
      '  TypeError: no',
      '      at run (node:net:1:1)',
      '      at node:net:2:2',
    ])
  })

  it('says in one line which migrations were applied', () => {
    const applied = (source: string, migration: string) => ({
      source,
      migration,
      msg: 'migration applied',
    })
    expect(
      shown(
        applied('svc-auth', '0001_accounts.sql'),
        applied('svc-auth', '0002_links.sql'),
        applied('app', '0001_orders.sql'),
        { msg: 'sign-in starts' },
        applied('app', '0002_lines.sql'),
        'closing',
        applied('app', '0003_last.sql'),
      ),
    ).toEqual([
      'migrations applied: 2 of svc-auth, 0001_orders.sql',
      'sign-in starts',
      'migrations applied: 0002_lines.sql',
      'closing',
      'migrations applied: 0003_last.sql',
    ])
  })

  it('writes nothing that a terminal obeys, which a request may have brought', () => {
    const err = { type: 'Error', message: '\u001b[2Jno\r\nAPI │ listening', stack: '' }
    expect(shown({ level: 'error', err, agent: 'a\nb\u009bc', msg: 'request failed' })).toEqual([
      'error: request failed agent=a\\u000ab\\u009bc',
      '  Error: \\u001b[2Jno\\u000d',
      '  API │ listening',
    ])
  })

  it('leaves what is no line of the log as it is', () => {
    const lines = ['▲ Next.js', '{"level":"half', '{ "name": "app" }', '']
    expect(shown(...lines)).toEqual(lines)
  })
})
