// How requests are signed: the same bytes as appliance/console/signing.py, held to it by tests/console/vectors.json.
// A page that came over plain http has no crypto.subtle, so HMAC and SHA-256 are a package's.
import {hmac} from "./vendor/noble/hmac.js";
import {sha256} from "./vendor/noble/sha2.js";
import {bytesToHex, concatBytes, utf8ToBytes} from "./vendor/noble/utils.js";

export const KEY_BYTES = 32;
export const NONCE_BYTES = 16;

export function message(method, path, count, body) {
  return utf8ToBytes(`tableside-phone-1\n${method}\n${path}\n${count}\n${bytesToHex(sha256(bytes(body)))}`);
}

export function sign(key, method, path, count, body) {
  return bytesToHex(hmac(sha256, key, message(method, path, count, body)));
}

// four digits that phone and kiosk show
export function code(key, nonce) {
  const made = hmac(sha256, key, concatBytes(utf8ToBytes("tableside-phone-code-1\n"), nonce));
  return String(new DataView(made.buffer, made.byteOffset).getUint32(0) % 10000).padStart(4, "0");
}

// what stands behind the # of the address in the picture; null where that is no key
export function fromFragment(text) {
  const found = /^#?([0-9a-f]{16})\.([A-Za-z0-9_-]{43})$/.exec(text);
  if (!found) return null;
  const key = Uint8Array.from(atob(found[2].replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));
  return key.length === KEY_BYTES ? {session: found[1], key} : null;
}

export function hash(text) {
  return bytesToHex(sha256(utf8ToBytes(text)));
}

// a UUIDv7 (RFC 9562): its time first, so that ids sort as they were made
export function commandId(now = Date.now(), random = crypto.getRandomValues(new Uint8Array(10))) {
  const hex = now.toString(16).padStart(12, "0") + bytesToHex(random);
  const variant = ((parseInt(hex[15], 16) & 3) | 8).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-7${hex.slice(12, 15)}-${variant}${hex.slice(16, 19)}-${hex.slice(19, 31).padEnd(12, "0")}`;
}

function bytes(body) {
  return typeof body === "string" ? utf8ToBytes(body) : body ?? new Uint8Array();
}
