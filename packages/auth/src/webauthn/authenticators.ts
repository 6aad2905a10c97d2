/**
 * The most common kinds of authenticator, by the AAGUID of each, from the list that their makers
 * keep together (https://github.com/passkeydeveloper/passkey-authenticator-aaguids) and from
 * Yubico's. An AAGUID is not proved: it is for a name in a list, and decides nothing.
 */
const names = new Map([
  ['fbfc3007-154e-4ecc-8c0b-6e020557d7bd', 'iCloud Keychain'],
  ['dd4ec289-e01d-41c9-bb89-70fa845d4bf2', 'iCloud Keychain (managed)'],
  ['ea9b8d66-4d01-1d21-3ce4-b6b48cb575d4', 'Google Password Manager'],
  ['adce0002-35bc-c60a-648b-0b25f1f05503', 'Chrome on Mac'],
  ['771b48fd-d3d4-4f74-9232-fc157ab0507a', 'Edge on Mac'],
  ['08987058-cadc-4b81-b6e1-30de50dcbe96', 'Windows Hello'],
  ['9ddd1817-af5a-4672-a2b9-3e3dd95000a9', 'Windows Hello'],
  ['6028b017-b1d4-4c02-b4b3-afcdafc96bb2', 'Windows Hello'],
  ['d3452668-01fd-4c12-926c-83a4204853aa', 'Microsoft Password Manager'],
  ['de1e552d-db1d-4423-a619-566b625cdc84', 'Microsoft Authenticator'],
  ['90a3ccdf-635c-4729-a248-9b709135078f', 'Microsoft Authenticator'],
  ['53414d53-554e-4700-0000-000000000000', 'Samsung Pass'],
  ['bada5566-a7aa-401f-bd96-45619a55120d', '1Password'],
  ['d548826e-79b4-db40-a3d8-11116f7e8349', 'Bitwarden'],
  ['531126d6-e717-415c-9320-3d9aa6981239', 'Dashlane'],
  ['f3809540-7f14-49c1-a8b3-8f813b225541', 'Enpass'],
  ['fdb141b2-5d84-443e-8a35-4698c205a502', 'KeePassXC'],
  ['0ea242b4-43c4-4a1b-8b17-dd6d0b6baec6', 'Keeper'],
  ['b78a0a55-6ef8-d246-a042-ba0f6d55050c', 'LastPass'],
  ['b84e4048-15dc-4dd0-8640-f4f60813c8af', 'NordPass'],
  ['50726f74-6f6e-5061-7373-50726f746f6e', 'Proton Pass'],
  ['ee882879-721c-4913-9775-3dfcce97072a', 'YubiKey 5'],
  ['2fc0579f-8113-47ea-b116-bb5a8db9202a', 'YubiKey 5 NFC'],
  ['19083c3d-8383-4b18-bc03-8f1c9ab2fd1b', 'YubiKey 5'],
  ['a25342c0-3cdc-4414-8e46-f4807fca511c', 'YubiKey 5 NFC'],
  ['a02167b9-ae71-4ac7-9a07-06432ebb6f1c', 'YubiKey 5Ci'],
  ['e77e3c64-05e3-428b-8824-0cbeb04b829d', 'Security Key NFC by Yubico'],
  ['42b4fb4a-2866-43b2-9bf7-6c6669c2e5d3', 'Google Titan Security Key'],
])

/** The name of an authenticator's model; undefined if it is not known, or not given. */
export function authenticatorName(aaguid: string): string | undefined {
  return names.get(aaguid)
}
