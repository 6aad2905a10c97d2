import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { animatedWebp, chunksOf } from './animated-webp.ts'

const folder = resolve(import.meta.dirname, '../../docs/screenshots')
const still = readFileSync(join(folder, 'login-light-375.webp'))
const part = { picture: still, x: 0, y: 0, width: 375, height: 800, millis: 500 }

describe('an animated WebP', () => {
  const file = animatedWebp({ width: 800, height: 800 }, [part, { ...part, x: 400, millis: 70 }])
  const chunks = chunksOf(file)
  const frames = chunks.filter(({ name }) => name === 'ANMF').map(({ payload }) => payload)

  it('says how large it is, and that it repeats for ever', () => {
    expect(file.toString('latin1', 0, 4)).toBe('RIFF')
    expect(file.readUInt32LE(4)).toBe(file.length - 8)
    expect(chunks.map(({ name }) => name)).toEqual(['VP8X', 'ANIM', 'ANMF', 'ANMF'])
    const [header, animation] = chunks
    expect(header?.payload.readUIntLE(0, 1)).toBe(2)
    expect([4, 7].map((at) => header?.payload.readUIntLE(at, 3))).toEqual([799, 799])
    expect(animation?.payload.readUInt16LE(4)).toBe(0)
  })

  it('has the picture of each frame, with its place and its time', () => {
    const numbers = frames.map((each) => [0, 3, 6, 9, 12].map((at) => each.readUIntLE(at, 3)))
    expect(numbers).toEqual([
      [0, 0, 374, 799, 500],
      [200, 0, 374, 799, 70],
    ])
    const image = chunksOf(still).find(({ name }) => name === 'VP8L')?.payload
    for (const frame of frames) {
      expect(frame.toString('latin1', 16, 20)).toBe('VP8L')
      expect(frame.subarray(24, 24 + (image?.length ?? 0))).toEqual(image)
    }
  })

  it('refuses a place that the format has no number for', () => {
    expect(() => animatedWebp({ width: 800, height: 800 }, [{ ...part, x: 1 }])).toThrow('even')
  })
})

it('all pictures have at most 3 MB, which every clone downloads', () => {
  const sizes = readdirSync(folder).map((name) => statSync(join(folder, name)).size)
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(3_000_000)
})

describe('the tour of the first page', () => {
  const file = readFileSync(join(folder, 'tour.webp'))
  const chunks = chunksOf(file)
  const frames = chunks.filter(({ name }) => name === 'ANMF').map(({ payload }) => payload)
  const [header] = chunks
  const size = [4, 7].map((at) => (header?.payload.readUIntLE(at, 3) ?? 0) + 1)

  it('is small enough for a page, and over before its reader goes on', () => {
    expect(file.length).toBeLessThan(1_000_000)
    const millis = frames.reduce((sum, each) => sum + each.readUIntLE(12, 3), 0)
    expect(millis).toBeGreaterThan(10_000)
    expect(millis).toBeLessThan(18_000)
  })

  it('begins with a frame that covers all of it', () => {
    const [first] = frames
    expect([0, 3, 6, 9].map((at) => first?.readUIntLE(at, 3))).toEqual([
      0,
      0,
      ...size.map((each) => each - 1),
    ])
  })

  it('has its place on the page before it is loaded, and a still picture for readers who want no motion', () => {
    const page = readFileSync(resolve(folder, '../../README.md'), 'utf8')
    const [, width, height] = /tour\.webp" width="(\d+)" height="(\d+)"/.exec(page) ?? []
    expect(size).toEqual([Number(width) * 1.5, Number(height) * 1.5])
    expect(page).toMatch(
      /prefers-reduced-motion: reduce\)" srcset="\.\/docs\/screenshots\/tour-still\.webp"/,
    )
  })
})
