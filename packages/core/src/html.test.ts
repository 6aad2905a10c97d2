import { describe, expect, it } from 'vitest'
import { html } from './html.ts'

describe('html', () => {
  it('shows as text what is put in', () => {
    const value = `<img src=x onerror=alert(1)>"'&`
    expect(html`<p title="${value}">${7}</p>`.toString()).toBe(
      '<p title="&lt;img src=x onerror=alert(1)&gt;&quot;&#39;&amp;">7</p>',
    )
  })

  it('is markup only when html made it', () => {
    const item = html`<li>${'<b>'}</li>`
    expect(html`<ul title="${'"'}">${[item, item]}</ul>`.toString()).toBe(
      '<ul title="&quot;"><li>&lt;b&gt;</li><li>&lt;b&gt;</li></ul>',
    )
    const forged = JSON.parse('["<b>"]') as never
    expect(html`${forged}`.toString()).toBe('&lt;b&gt;')
  })

  it('takes nothing for markup that only looks like it', () => {
    for (const forged of [{ markup: '<b>' }, { toString: () => '<b>' }]) {
      expect(html`${forged as never}`.toString()).not.toContain('<b>')
    }
  })
})
