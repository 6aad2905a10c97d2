import { describe, expect, it } from 'vitest'
import { versionMenu } from '../../docs/.vitepress/versions.ts'

describe('the version in the head of the site', () => {
  it('leads to what has changed, if there are no sites of other versions', () => {
    expect(versionMenu('1.2.0')).toEqual({ text: 'Version 1.2.0', link: '/changelog' })
  })

  it('is a menu of the sites of other versions', () => {
    const others = '1.1=https://v1-1.example.com  1.0=https://v1-0.example.com'
    expect(versionMenu('1.2.0', others).items).toEqual([
      { text: 'What has changed', link: '/changelog' },
      { text: 'Version 1.1', link: 'https://v1-1.example.com' },
      { text: 'Version 1.0', link: 'https://v1-0.example.com' },
    ])
  })

  it('refuses what is no version with its address, and says how to write it', () => {
    expect(() => versionMenu('1.2.0', '1.1')).toThrow('Write 0.9=https://…')
    expect(() => versionMenu('1.2.0', '1.1=javascript:alert(1)')).toThrow('"1.1=javascript')
  })
})
