import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { fileTransport } from './file.ts'
import type { Message } from './message.ts'

const root = await mkdtemp(join(tmpdir(), 'svc-outbox-'))
afterAll(() => rm(root, { recursive: true, force: true }))

const messageAt = (sentAt: string, to = 'ada@example.com'): Message => ({
  channel: 'mail',
  to,
  subject: 'Subject',
  text: 'Text\n',
  template: 'verification-code',
  sentAt,
})

const recipients = async (directory: string) => {
  const names = (await readdir(directory)).toSorted()
  const texts = await Promise.all(names.map((name) => readFile(join(directory, name), 'utf8')))
  return texts.map((text) => (JSON.parse(text) as Message).to)
}

describe('an outbox', () => {
  it('keeps a message as one JSON file that only its user can read', async () => {
    const directory = join(root, 'above', 'outbox')
    const message = messageAt('2026-03-01T12:00:00.000Z')
    await fileTransport(directory)(message)

    const [name = ''] = await readdir(directory)
    expect(name).toMatch(/^2026-03-01T12-00-00\.000Z-\d{8}-mail-[\da-f]{8}\.json$/)
    expect(JSON.parse(await readFile(join(directory, name), 'utf8'))).toEqual(message)
    expect((await stat(join(directory, name))).mode & 0o777).toBe(0o600)
    expect((await stat(directory)).mode & 0o777).toBe(0o700)
    // Another user's database may live beside the outbox.
    expect((await stat(join(root, 'above'))).mode & 0o777).not.toBe(0o700)
  })

  it('has names that sort by time, and by order within one moment', async () => {
    const directory = join(root, 'sorted')
    const send = fileTransport(directory)
    const moments = Array.from({ length: 12 }, (_, nth) => `nth-${nth}@example.com`)
    for (const to of moments) await send(messageAt('2026-03-01T12:00:00.000Z', to))
    await send(messageAt('2026-03-01T12:00:00.001Z', 'later@example.com'))
    await send(messageAt('2026-03-01T11:59:59.999Z', 'earlier@example.com'))

    expect(await recipients(directory)).toEqual([
      'earlier@example.com',
      ...moments,
      'later@example.com',
    ])
  })

  it('loses nothing when two processes write at one moment', async () => {
    const directory = join(root, 'shared')
    const one = fileTransport(directory)
    const other = fileTransport(directory)
    const message = messageAt('2026-03-01T12:00:00.000Z')
    await Promise.all(Array.from({ length: 64 }, (_, nth) => (nth % 2 ? one : other)(message)))

    const names = await readdir(directory)
    expect(names).toHaveLength(64)
    expect(names.every((name) => name.endsWith('.json'))).toBe(true)
  })

  it('shows its readers whole messages only', async () => {
    const directory = join(root, 'read')
    const send = fileTransport(directory)
    const long = { ...messageAt('2026-03-01T12:00:00.000Z'), text: 'x'.repeat(16_000_000) }
    await send(long)
    const writing = Promise.all(Array.from({ length: 4 }, () => send(long)))

    const sizes = new Set<number>()
    for (let whole = 0; whole < 5; ) {
      const names = (await readdir(directory)).filter((name) => name.endsWith('.json'))
      const files = await Promise.all(names.map((name) => stat(join(directory, name))))
      for (const { size } of files) sizes.add(size)
      whole = files.length
    }
    await writing
    expect(sizes.size).toBe(1)
    expect(await readdir(directory)).toHaveLength(5)
  })
})
