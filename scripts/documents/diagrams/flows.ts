import type { Flow } from './draw-sequence.ts'

const flow = <const Part extends string>(given: Flow<Part>): Flow => given

export const flows = {
  'signed-request': flow({
    title: 'A signed request',
    parts: ['Device', 'Server', 'Cache', 'PostgreSQL'],
    steps: [
      {
        at: 'Device',
        does: 'signs with its private key: the method, the path, a hash of the body',
      },
      { from: 'Device', to: 'Server', says: 'the request, with the signed token' },
      { from: 'Server', to: 'PostgreSQL', says: 'the key and its account?' },
      { from: 'PostgreSQL', to: 'Server', says: 'public key, state, roles, permissions' },
      {
        at: 'Server',
        does: 'checks the signature, then that the token is recent and for this very request',
      },
      {
        from: 'Server',
        to: 'Cache',
        says: 'was this token used before? Only asked if the request may change something',
      },
      { from: 'Cache', to: 'Server', says: 'no, and now it is used, on every instance' },
      { at: 'Server', does: 'checks that the account may act, then runs your route' },
      { from: 'Server', to: 'Device', says: 'the response' },
    ],
  }),
  'device-login': flow({
    title: 'Signing in a device without a keyboard',
    parts: ['New device', 'Server', 'User’s phone'],
    steps: [
      {
        from: 'New device',
        to: 'Server',
        says: 'startDeviceAuth, with its public key and its name',
      },
      { from: 'Server', to: 'New device', says: 'a code to show, and a secret to poll with' },
      { at: 'New device', does: 'shows the code and the beginning of its key’s fingerprint' },
      { from: 'New device', to: 'Server', says: 'pollDeviceAuth, with the secret' },
      { at: 'User’s phone', does: 'is signed in; its user types the code' },
      { from: 'User’s phone', to: 'Server', says: 'getDeviceAuthInfo, signed' },
      {
        from: 'Server',
        to: 'User’s phone',
        says: 'the new device’s name, platform and fingerprint',
      },
      { at: 'User’s phone', does: 'the user compares them with what the new device shows' },
      {
        from: 'User’s phone',
        to: 'Server',
        says: 'approveDeviceAuth, signed, with a fresh proof',
      },
      { at: 'Server', does: 'registers the new device’s key as it responds to the poll' },
      { from: 'Server', to: 'New device', says: 'approved. No token is sent' },
      { from: 'New device', to: 'Server', says: 'requests signed with its own key' },
    ],
  }),
  'second-factor': flow({
    title: 'Signing in with a second factor',
    parts: ['User', 'Device', 'Server'],
    steps: [
      { from: 'User', to: 'Device', says: 'email and password' },
      { from: 'Device', to: 'Server', says: 'login, with the device’s new public key' },
      { at: 'Server', does: 'stores the key as waiting: it accepts no request that the key signs' },
      { from: 'Server', to: 'Device', says: '202, with a challenge' },
      { from: 'Device', to: 'User', says: 'asks for the second factor' },
      { from: 'User', to: 'Device', says: 'a code of the app, a recovery code or a passkey' },
      { from: 'Device', to: 'Server', says: 'mfaVerify, with the challenge and the proof' },
      {
        at: 'Server',
        does: 'activates the key if the proof is right; five wrong ones end the challenge',
      },
      { from: 'Server', to: 'Device', says: '200: signed in' },
      { from: 'Device', to: 'Server', says: 'requests signed with its key' },
    ],
  }),
  'streams-over-instances': flow({
    title: 'A stream over two instances',
    parts: ['Browser', 'Instance 1', 'Cache', 'Instance 2'],
    steps: [
      {
        from: 'Browser',
        to: 'Instance 1',
        says: 'POST /events/token, signed with the device’s key',
      },
      { from: 'Instance 1', to: 'Browser', says: 'a token for one stream, valid for 30 seconds' },
      { from: 'Browser', to: 'Instance 1', says: 'GET /events/stream, with the token' },
      { at: 'Instance 1', does: 'keeps the stream open, for this key' },
      { at: 'Instance 2', does: 'a request emits an event, and commits' },
      { from: 'Instance 2', to: 'Cache', says: 'the event' },
      { from: 'Cache', to: 'Instance 1', says: 'the event, to every instance' },
      { at: 'Instance 1', does: 'your rules decide whether this user gets it' },
      { from: 'Instance 1', to: 'Browser', says: 'the event' },
      { at: 'Instance 2', does: 'another device signs this one out' },
      { from: 'Instance 2', to: 'Cache', says: 'this key is revoked' },
      { from: 'Cache', to: 'Instance 1', says: 'this key is revoked' },
      { from: 'Instance 1', to: 'Browser', says: 'the stream ends' },
      { from: 'Browser', to: 'Instance 1', says: 'the next request, signed with the same key' },
      { from: 'Instance 1', to: 'Browser', says: '401' },
    ],
  }),
}
