import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { RequestInProgressError, sendOnce } from '../calls.ts'
import { ApiUnreachableError } from '../client.ts'
import { ConflictError, ServiceUnavailableError } from '../contract.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** What fails so often, and then answers. */
function failing(failures: Error[]) {
  const sent: { key: string; at: number }[] = []
  const began = Date.now()
  // oxlint-disable-next-line typescript/require-await -- as a call is
  const send = async ({ 'idempotency-key': key }: { 'idempotency-key': string }) => {
    sent.push({ key, at: Date.now() - began })
    const failure = failures.shift()
    if (failure) throw failure
    return 'placed'
  }
  return { sent, send }
}

const unreachable = () => new ApiUnreachableError({ message: 'down' })

async function outcome(run: Promise<unknown>) {
  const settled = run.then(
    (value) => value,
    (error: unknown) => error,
  )
  await vi.runAllTimersAsync()
  return settled
}

describe('sendOnce', () => {
  it('sends again with the same key until there is an answer, as late as the server says', async () => {
    const { sent, send } = failing([
      unreachable(),
      unreachable(),
      new RequestInProgressError({ retryAfter: 1 }),
      new ServiceUnavailableError({ retryAfter: 7 }),
    ])
    expect(await outcome(sendOnce(send))).toBe('placed')
    expect(sent.map(({ at }) => at)).toEqual([0, 1000, 3000, 4000, 11_000])
    expect(new Set(sent.map(({ key }) => key)).size).toBe(1)
    expect(sent[0]?.key).toMatch(/^[\da-f-]{36}$/)
  })

  it('waits a minute at most, even if the server asks for more', async () => {
    const { sent, send } = failing([
      new ServiceUnavailableError({ retryAfter: 86_400 }),
      new ServiceUnavailableError({ retryAfter: 60 }),
    ])
    expect(await outcome(sendOnce(send))).toBe('placed')
    expect(sent.map(({ at }) => at)).toEqual([0, 60_000, 120_000])
  })

  it('takes a new key each time it is called, or the one that it is given', async () => {
    const { sent, send } = failing([])
    await sendOnce(send)
    await sendOnce(send)
    await sendOnce(send, { key: 'mine' })
    expect(sent[0]?.key).not.toBe(sent[1]?.key)
    expect(sent[2]?.key).toBe('mine')
  })

  it('throws a refusal, and what has failed too often', async () => {
    const conflict = new ConflictError({ message: 'sold' })
    const refused = failing([conflict])
    expect(await outcome(sendOnce(refused.send))).toBe(conflict)
    expect(refused.sent).toHaveLength(1)
    const down = failing(Array.from({ length: 9 }, unreachable))
    expect(await outcome(sendOnce(down.send, { tries: 3 }))).toBeInstanceOf(ApiUnreachableError)
    expect(down.sent).toHaveLength(3)
  })

  it('is given up while it waits', async () => {
    const { sent, send } = failing([unreachable()])
    const controller = new AbortController()
    const run = outcome(sendOnce(send, { signal: controller.signal }))
    controller.abort()
    expect(await run).toMatchObject({ name: 'AbortError' })
    expect(sent).toHaveLength(1)
  })
})
