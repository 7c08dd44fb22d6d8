//! The 256 colours of terminals: those that designers may name, and how much they stand out against each other.

/// The colours that an `appearance` may name, as far as terminals have them.
const NAMED: [(&str, u8); 14] = [
    ("white", 231),
    ("black", 16),
    ("grey", 240),
    ("red", 160),
    ("orange", 208),
    ("yellow", 226),
    ("green", 22),
    ("teal", 30),
    ("blue", 19),
    ("violet", 54),
    ("pink", 218),
    ("brown", 94),
    ("gold", 220),
    ("silver", 252),
];

/// The colour with this name.
pub(crate) fn named(name: &str) -> Option<u8> {
    NAMED.iter().find(|(known, _)| *known == name).map(|(_, colour)| *colour)
}

/// How much two colours stand out against each other, as the guidelines for readable text define it: from 1 to 21.
pub(crate) fn contrast(one: u8, other: u8) -> f64 {
    let (one, other) = (luminance(one), luminance(other));
    (one.max(other) + 0.05) / (one.min(other) + 0.05)
}

/// The brightness of a colour.
fn luminance(colour: u8) -> f64 {
    let step = |level: u8| if level == 0 { 0 } else { 55 + 40 * level };
    let [red, green, blue] = match colour {
        16..=231 => [(colour - 16) / 36, (colour - 16) / 6 % 6, (colour - 16) % 6].map(step),
        232.. => [8 + 10 * (colour - 232); 3],
        // The first sixteen are what the user has made of them.
        _ => [128; 3],
    };
    let linear = |value: u8| match f64::from(value) / 255.0 {
        value if value <= 0.03928 => value / 12.92,
        value => ((value + 0.055) / 1.055).powf(2.4),
    };
    0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
}
