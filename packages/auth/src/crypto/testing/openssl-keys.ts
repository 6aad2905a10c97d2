type Row = [what: string, algorithm: 'ES256' | 'RS256', publicKey: string, fingerprint: string]

/** `openssl ecparam -genkey`, `genrsa`, then `pkey -pubout -outform DER | base64` and `| sha256sum`. */
export const opensslKeys: Row[] = [
  [
    'P-256',
    'ES256',
    [
      'MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEImN7AEqnGaZBzVpJoqswjE4PpcjehE5IcSvzF0nK2Og6WOGE',
      'ZRRdBr7eMkM3ZqTQinuRPpionorw4xEusSR3mQ==',
    ].join(''),
    '7c3a23e8b890c9e6a5be0c7be1f0f4c6486ea9ab1a9265bd602a3ead7c8ef446',
  ],
  [
    'RSA of 2048 bits',
    'RS256',
    [
      'MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAsgjTQzqWwdoDB3eC/qNh3M0i6Lml+HK6q7aQMf4p',
      '74tgRYFeKQXiMIePlKX9T+R8VJ9JRxBkvEXva0NRPmdEWL1UnkdKs/45B4VWviK1P3IApUVlwqPlls013k+j',
      'e2dms57v3cDDe63BMeHmN93/2EvHMpE2j3WRa0EOL64crbgvu7bdmKW6wzqQtqXAhjXsEhGZuJYor4LLp1k6',
      'SbEzr8sT+5mFlWfWKGq1inNI468M59/urWkxR6JmxHTgc0q3c2Sf8eez3E65TP7sBIUL3vzt3NR31C+Aedpa',
      '79tv5IZzMxkibj9FqCbfs2ljYfijl/BsBCmFOi58b6MqsOczdwIDAQAB',
    ].join(''),
    'c055d8dab3fd6991c68807f33270ff967824ba1a60a81fa6c24e1b92ef80a89a',
  ],
  [
    'RSA of 4096 bits',
    'RS256',
    [
      'MIICIjANBgkqhkiG9w0BAQEFAAOCAg8AMIICCgKCAgEAypBKCjMI3q4pEsdvld8dTg7zxqyf6+dUZ2pEyyVL',
      'EpcslXdZGmFSI5kk3Uptia/ilyIUIo0xpRrnRggN/s2LrkwPZbugWy6lQiiz5zBs00sHGjOn5xpEYVHwIZiS',
      'mj2WtH0kkQQpW4kh0sLYvBfUImahVkzEv5LnO2XKqF+EjZEXBEGGqGvh+M9ywHwfQ6zOiId0DRn9YuPu7ahk',
      '3g0UK55mdVAg8f8VECy/G7QoUflEZWZ0vw8gk2qu9fBh/SHbfBqL1qVHmqAj6aLZUTuc5EdRTCTZ2gQO99DL',
      'Yr7rhW+4Ff9IXp/y3mdycM8jZ9YQbtdkh41H+BFrMay8s1SngM/B3DTXRl2IlPtmuUGAzB5+gqdAEd2T4xNZ',
      '1SzdAdcos447djqSyCYHBlUKFKe6PaceNXvu58iLrnKRxWOn7VSRFSYb0JfIPdnhPhNiWA+tpbRqJ+JP7ZPl',
      'YWfqdv+5eDNKAlXb4GLjV9v9wfVMORbo2rV1IGUZ0s+3S6M2huaEMCGkcUfO8UWp0E9l1mZRph3HdFi0Z16J',
      'yx5jiVeUaawnOAczTs94BU0WKr7EUgX3WsdvXNyT2US4PiwOYuFUBwGIUrAK1al+q9rRJ5oVUsjoxMpVUBdZ',
      'INUSffLTiZRQ7LMBAF1a8PV1KN54u/UMHu/sIh+E0loYBaW6LpNqJtsCAwEAAQ==',
    ].join(''),
    '3e5efa39cc410e738a6e5d4fe986c51936262eb50545db9d38383d38e4c2442b',
  ],
]
