import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { afterAll, expect, it } from 'vitest'
import { exchangeFile } from './exchange-file.ts'

const folder = mkdtempSync(join(tmpdir(), 'svc-exchange-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

it('lets racing callers in one after the other', async () => {
  const file = join(folder, 'count')
  const countUp = () => exchangeFile(file, (count) => `${Number(count) + 1}`)

  const counts = await Promise.all(Array.from({ length: 12 }, countUp))
  expect(counts.map(Number).toSorted((a, b) => a - b)).toEqual(counts.map((_, index) => index + 1))
  expect(readdirSync(folder)).toEqual(['count'])
})

it('leaves a lock alone that another process took right after', async () => {
  const file = join(folder, 'contested')
  const exchanged = exchangeFile(file, () => 'ours')
  while (!existsSync(file)) await setImmediate()
  writeFileSync(`${file}.lock`, 'theirs', { flag: 'wx' })

  expect(await exchanged).toBe('ours')
  expect(existsSync(`${file}.lock`)).toBe(true)
})

it('leaves everything as it was when it fails', async () => {
  const file = join(folder, 'kept')
  await exchangeFile(file, () => 'kept')

  const failing = exchangeFile(file, () => {
    throw new Error('no')
  })
  await expect(failing).rejects.toThrow('no')
  expect(await exchangeFile(file, (current) => current)).toBe('kept')
})
