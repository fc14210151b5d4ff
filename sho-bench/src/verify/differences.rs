//! Where two documents of numbers differ.

use serde::Serialize;
use serde_json::Value;

use super::Faults;

/// The numbers in which counts differ from others, as in `bots[0].wins: 12, not 13`.
pub(super) fn count_differences<T: Serialize + PartialEq>(here: &T, there: &T) -> Faults {
    let mut faults = Faults::default();
    if here == there {
        return faults;
    }
    // Counts have nothing that JSON cannot hold.
    let value = |counts: &T| -> Value {
        serde_json::to_string(counts)
            .ok()
            .and_then(|text| serde_json::from_str(&text).ok())
            .unwrap_or_default()
    };
    value_differences(&value(here), &value(there), &mut |key, here, there| {
        faults.add(format!("{key}: {here}, not {there}"));
    });
    if faults.count == 0 {
        // Numbers beyond 64 bits are rounded where they are read without knowing what they are.
        faults.add("sums beyond 64 bits differ");
    }
    faults
}

/// Shows the values in which one document differs from another to `found`, each with its key and what it is here and
/// there.
pub(super) fn value_differences(
    here: &Value,
    there: &Value,
    found: &mut dyn FnMut(&str, &str, &str),
) {
    descend("", Some(here), Some(there), found);
}

fn descend(
    key: &str,
    here: Option<&Value>,
    there: Option<&Value>,
    found: &mut dyn FnMut(&str, &str, &str),
) {
    match (here, there) {
        (Some(Value::Object(x)), Some(Value::Object(y))) => {
            let more = y.keys().filter(|name| !x.contains_key(*name));
            for name in x.keys().chain(more) {
                let dot = if key.is_empty() { "" } else { "." };
                descend(&format!("{key}{dot}{name}"), x.get(name), y.get(name), found);
            }
        }
        (Some(Value::Array(x)), Some(Value::Array(y))) => {
            for index in 0..x.len().max(y.len()) {
                descend(&format!("{key}[{index}]"), x.get(index), y.get(index), found);
            }
        }
        _ if here != there => found(key, &text(here), &text(there)),
        _ => {}
    }
}

/// A value for a message.
fn text(value: Option<&Value>) -> String {
    value.map_or("nothing".to_owned(), Value::to_string)
}
