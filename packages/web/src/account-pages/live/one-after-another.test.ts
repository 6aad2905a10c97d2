import { expect, it } from 'vitest'
import { oneAfterAnother } from './one-after-another.ts'

it('a change that comes while the page reads is read once more afterwards', async () => {
  const under: (() => void)[] = []
  const again = oneAfterAnother(() => new Promise<void>((resolve) => under.push(resolve)))
  const settle = () => new Promise((resolve) => setImmediate(resolve))
  again()
  again()
  again()
  expect(under).toHaveLength(1)
  under[0]?.()
  await settle()
  expect(under).toHaveLength(2)
  under[1]?.()
  await settle()
  expect(under).toHaveLength(2)
  again()
  expect(under).toHaveLength(3)
})
