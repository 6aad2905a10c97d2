import { callerOf, fresh, minute, refuse, refuseInactive } from './caller.ts'
import { registerKey } from './sign-in.ts'
import type { Model, Of } from './state.ts'

function decide(
  model: Model,
  { by, device: name, act }: Of<'lookAtDevice' | 'approveDevice' | 'denyDevice'>,
) {
  const caller = act === 'approveDevice' ? fresh(model, by) : callerOf(model, by)
  const { owner, account, key } = caller
  const device = model.devices[name]
  const isFree = device?.claimedBy === null && device.state === 'pending'
  if (!device || device.state === 'spent' || !(isFree || device.claimedBy === owner)) {
    return refuse('404 DeviceAuthNotFoundError')
  }
  if (device.expiresAt <= model.now) refuse('400 DeviceAuthExpiredError')
  if (device.state !== 'pending') refuse('409 DeviceAuthAlreadyHandledError')
  device.claimedBy = owner
  if (act === 'denyDevice') device.state = 'denied'
  if (act !== 'approveDevice') return act === 'denyDevice' ? '204' : '200'
  const approver = { approvedBy: by, authenticatedAt: key.authenticatedAt }
  Object.assign(device, { state: 'approved', generation: account.generation, ...approver })
  return '200'
}

/** Signing in on a device without a keyboard. */
export const deviceRules = {
  startDevice(model: Model, { id, key }: Of<'startDevice'>) {
    const claim = { claimedBy: null, generation: null, authenticatedAt: 0, approvedBy: null }
    const times = { expiresAt: model.now + 10 * minute, lastPolledAt: 0 }
    model.devices[id] = { key, state: 'pending', ...claim, ...times }
    return '200'
  },
  lookAtDevice: decide,
  approveDevice: decide,
  denyDevice: decide,
  pollDevice(model: Model, { device: name }: Of<'pollDevice'>) {
    const device = model.devices[name]
    if (!device || device.state === 'spent') return refuse('404 DeviceAuthNotFoundError')
    if (device.expiresAt <= model.now) refuse('400 DeviceAuthExpiredError')
    if (device.state === 'pending') {
      if (model.now - device.lastPolledAt < 5000) refuse('429 TooManyRequestsError')
      device.lastPolledAt = model.now
      return '200 pending'
    }
    const { claimedBy: owner, generation, authenticatedAt, approvedBy: madeBy } = device
    const account = owner === null ? undefined : model.accounts[owner]
    if (owner === null || !account || generation === null)
      return refuse('403 DeviceAuthDeniedError')
    refuseInactive(account)
    const isApproved = device.state === 'approved' && account.generation === generation
    if (!isApproved) refuse('403 DeviceAuthDeniedError')
    device.state = 'spent'
    registerKey(model, device.key, { owner, authenticatedAt, madeBy })
    return '200 approved'
  },
}
