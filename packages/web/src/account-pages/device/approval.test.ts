import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import type { WaitingDevice } from '../../account/use-device-approval.ts'
import { Approval } from './approval.tsx'

const device: WaitingDevice = {
  deviceName: 'Chrome on Linux',
  platform: 'web',
  fingerprintPrefix: '3f9a1c07',
  requestedAtMillis: Date.now() - 125_000,
  expiresAtMillis: Date.now() + 475_000,
}
const nothing = () => {}
const rest = {
  as: 'ada@example.com',
  error: null,
  isBusy: false,
  onApprove: nothing,
  onDeny: nothing,
  onStartOver: nothing,
}
const shown = (given: object) =>
  renderToStaticMarkup(createElement(Approval, { ...rest, device: given as WaitingDevice }))

const approve = />Approve<\/button>/

describe('the approval of a waiting device', () => {
  it('shows its name, platform, key, and when it asked (A-193)', () => {
    const html = shown(device)
    for (const fact of ['Chrome on Linux', 'Web browser', '3f9a1c07', '2 minutes ago']) {
      expect(html).toContain(fact)
    }
    expect(html).toContain('Approve only a device that is in front of you.')
    expect(html).toMatch(approve)
  })

  it('asks whether the device shows the same key, and says whose account it is signed in to (A-193)', () => {
    expect(shown(device)).toContain('Key <code>3f9a1c07</code>: does the device show the same key?')
    expect(shown(device)).toMatch(/signs in as <bdi [^>]*>ada@example\.com<\/bdi>/)
    expect(shown({ ...device, fingerprintPrefix: '' })).not.toContain('the same key?')
  })

  it('is not to be had for a code alone (A-193)', () => {
    // @ts-expect-error -- a code is nothing to recognise a device by
    createElement(Approval, { ...rest, userCode: 'K7QM-2XVH' })
    // @ts-expect-error -- nor is a device that says nothing of itself
    createElement(Approval, { ...rest, device: { userCode: 'K7QM-2XVH' } })
    for (const codeOnly of [{ userCode: 'K7QM-2XVH' }, { ...device, fingerprintPrefix: '' }]) {
      const html = shown(codeOnly)
      expect(html).not.toContain('K7QM-2XVH')
      expect(html).not.toMatch(approve)
      expect(html).toContain('can’t approve it')
      expect(html).toContain('>Deny</button>')
    }
  })

  it('takes a name for text that keeps to itself', () => {
    const deviceName = '\u202E<b>moc.live</b>'
    expect(shown({ ...device, deviceName })).toMatch(
      /<bdi [^>]*>\u202E&lt;b&gt;moc\.live&lt;\/b&gt;<\/bdi>/,
    )
  })

  it('says of a device without a name that it has none', () => {
    const { deviceName: _name, platform: _platform, ...nameless } = device
    const html = shown(nameless)
    expect(html).toContain('Device without a name')
    expect(html).toMatch(approve)
  })
})
