import { isSameOrigin } from './same-origin.js';

describe('isSameOrigin', () => {
  it.each([
    [{ 'sec-fetch-site': 'same-origin' }],
    [{ 'sec-fetch-site': 'same-origin', origin: 'http://behind-a-proxy' }],
    [{ origin: 'http://annals.example:8080' }],
    [{ origin: 'https://Annals.example:8080' }],
  ])('takes %o', (headers) => expect(isSameOrigin(headers, 'annals.example:8080')).toBe(true));

  it.each([
    [{}],
    [{ origin: 'null' }],
    [{ origin: '' }],
    [{ origin: 'http://annals.example' }],
    [{ origin: 'http://annals.example:8080.evil.example' }],
    [{ origin: 'http://evil.example/annals.example:8080' }],
    [{ 'sec-fetch-site': 'same-site', origin: 'http://annals.example:8080' }],
    [{ 'sec-fetch-site': 'cross-site' }],
    [{ 'sec-fetch-site': 'none' }],
  ])('refuses %o', (headers) => expect(isSameOrigin(headers, 'annals.example:8080')).toBe(false));
});
