'use client'

export { type Action, useAction } from './account/use-action.ts'
export { type Device, useDevices } from './account/use-devices.ts'
export { type Credentials, useSignIn, useSignOut } from './account/use-sign-in.ts'
export { type StreamListeners, type StreamStatus, useStream } from './account/use-stream.ts'
