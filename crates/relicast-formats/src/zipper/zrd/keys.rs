//! DirectInput keyboard codes.
//!
//! The code of a key is its scan code, with the top bit set where the keyboard sends the extended
//! prefix. The table is the public one of the platform (`dinput.h`).
//!
//! ```
//! use relicast_formats::zipper::zrd::keys::key;
//!
//! assert_eq!(key(1).map(|key| key.label), Some("Escape"));
//! assert!(key(0).is_none());
//! ```

/// A key of the keyboard.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Key {
    /// DirectInput code.
    pub code: u8,
    /// Name of the platform's constant.
    pub constant: &'static str,
    /// Label of the key on a United States keyboard.
    pub label: &'static str,
}

/// The key of a DirectInput code; `None` for codes without a key.
pub fn key(code: u32) -> Option<&'static Key> {
    let index = KEYS.binary_search_by_key(&code, |key| u32::from(key.code));
    index.ok().and_then(|index| KEYS.get(index))
}

const fn row(code: u8, constant: &'static str, label: &'static str) -> Key {
    Key {
        code,
        constant,
        label,
    }
}

/// All keys that DirectInput names, by code.
pub const KEYS: [Key; 144] = [
    row(0x01, "DIK_ESCAPE", "Escape"),
    row(0x02, "DIK_1", "1"),
    row(0x03, "DIK_2", "2"),
    row(0x04, "DIK_3", "3"),
    row(0x05, "DIK_4", "4"),
    row(0x06, "DIK_5", "5"),
    row(0x07, "DIK_6", "6"),
    row(0x08, "DIK_7", "7"),
    row(0x09, "DIK_8", "8"),
    row(0x0A, "DIK_9", "9"),
    row(0x0B, "DIK_0", "0"),
    row(0x0C, "DIK_MINUS", "-"),
    row(0x0D, "DIK_EQUALS", "="),
    row(0x0E, "DIK_BACK", "Backspace"),
    row(0x0F, "DIK_TAB", "Tab"),
    row(0x10, "DIK_Q", "Q"),
    row(0x11, "DIK_W", "W"),
    row(0x12, "DIK_E", "E"),
    row(0x13, "DIK_R", "R"),
    row(0x14, "DIK_T", "T"),
    row(0x15, "DIK_Y", "Y"),
    row(0x16, "DIK_U", "U"),
    row(0x17, "DIK_I", "I"),
    row(0x18, "DIK_O", "O"),
    row(0x19, "DIK_P", "P"),
    row(0x1A, "DIK_LBRACKET", "["),
    row(0x1B, "DIK_RBRACKET", "]"),
    row(0x1C, "DIK_RETURN", "Enter"),
    row(0x1D, "DIK_LCONTROL", "Left Ctrl"),
    row(0x1E, "DIK_A", "A"),
    row(0x1F, "DIK_S", "S"),
    row(0x20, "DIK_D", "D"),
    row(0x21, "DIK_F", "F"),
    row(0x22, "DIK_G", "G"),
    row(0x23, "DIK_H", "H"),
    row(0x24, "DIK_J", "J"),
    row(0x25, "DIK_K", "K"),
    row(0x26, "DIK_L", "L"),
    row(0x27, "DIK_SEMICOLON", ";"),
    row(0x28, "DIK_APOSTROPHE", "'"),
    row(0x29, "DIK_GRAVE", "`"),
    row(0x2A, "DIK_LSHIFT", "Left Shift"),
    row(0x2B, "DIK_BACKSLASH", "\\"),
    row(0x2C, "DIK_Z", "Z"),
    row(0x2D, "DIK_X", "X"),
    row(0x2E, "DIK_C", "C"),
    row(0x2F, "DIK_V", "V"),
    row(0x30, "DIK_B", "B"),
    row(0x31, "DIK_N", "N"),
    row(0x32, "DIK_M", "M"),
    row(0x33, "DIK_COMMA", ","),
    row(0x34, "DIK_PERIOD", "."),
    row(0x35, "DIK_SLASH", "/"),
    row(0x36, "DIK_RSHIFT", "Right Shift"),
    row(0x37, "DIK_MULTIPLY", "Numpad *"),
    row(0x38, "DIK_LMENU", "Left Alt"),
    row(0x39, "DIK_SPACE", "Space"),
    row(0x3A, "DIK_CAPITAL", "Caps Lock"),
    row(0x3B, "DIK_F1", "F1"),
    row(0x3C, "DIK_F2", "F2"),
    row(0x3D, "DIK_F3", "F3"),
    row(0x3E, "DIK_F4", "F4"),
    row(0x3F, "DIK_F5", "F5"),
    row(0x40, "DIK_F6", "F6"),
    row(0x41, "DIK_F7", "F7"),
    row(0x42, "DIK_F8", "F8"),
    row(0x43, "DIK_F9", "F9"),
    row(0x44, "DIK_F10", "F10"),
    row(0x45, "DIK_NUMLOCK", "Num Lock"),
    row(0x46, "DIK_SCROLL", "Scroll Lock"),
    row(0x47, "DIK_NUMPAD7", "Numpad 7"),
    row(0x48, "DIK_NUMPAD8", "Numpad 8"),
    row(0x49, "DIK_NUMPAD9", "Numpad 9"),
    row(0x4A, "DIK_SUBTRACT", "Numpad -"),
    row(0x4B, "DIK_NUMPAD4", "Numpad 4"),
    row(0x4C, "DIK_NUMPAD5", "Numpad 5"),
    row(0x4D, "DIK_NUMPAD6", "Numpad 6"),
    row(0x4E, "DIK_ADD", "Numpad +"),
    row(0x4F, "DIK_NUMPAD1", "Numpad 1"),
    row(0x50, "DIK_NUMPAD2", "Numpad 2"),
    row(0x51, "DIK_NUMPAD3", "Numpad 3"),
    row(0x52, "DIK_NUMPAD0", "Numpad 0"),
    row(0x53, "DIK_DECIMAL", "Numpad ."),
    row(0x56, "DIK_OEM_102", "< >"),
    row(0x57, "DIK_F11", "F11"),
    row(0x58, "DIK_F12", "F12"),
    row(0x64, "DIK_F13", "F13"),
    row(0x65, "DIK_F14", "F14"),
    row(0x66, "DIK_F15", "F15"),
    row(0x70, "DIK_KANA", "Kana"),
    row(0x73, "DIK_ABNT_C1", "/ ?"),
    row(0x79, "DIK_CONVERT", "Convert"),
    row(0x7B, "DIK_NOCONVERT", "No Convert"),
    row(0x7D, "DIK_YEN", "Yen"),
    row(0x7E, "DIK_ABNT_C2", "Numpad . (ABNT)"),
    row(0x8D, "DIK_NUMPADEQUALS", "Numpad ="),
    row(0x90, "DIK_PREVTRACK", "Previous Track"),
    row(0x91, "DIK_AT", "@"),
    row(0x92, "DIK_COLON", ":"),
    row(0x93, "DIK_UNDERLINE", "_"),
    row(0x94, "DIK_KANJI", "Kanji"),
    row(0x95, "DIK_STOP", "Stop"),
    row(0x96, "DIK_AX", "AX"),
    row(0x97, "DIK_UNLABELED", "Unlabeled"),
    row(0x99, "DIK_NEXTTRACK", "Next Track"),
    row(0x9C, "DIK_NUMPADENTER", "Numpad Enter"),
    row(0x9D, "DIK_RCONTROL", "Right Ctrl"),
    row(0xA0, "DIK_MUTE", "Mute"),
    row(0xA1, "DIK_CALCULATOR", "Calculator"),
    row(0xA2, "DIK_PLAYPAUSE", "Play/Pause"),
    row(0xA4, "DIK_MEDIASTOP", "Media Stop"),
    row(0xAE, "DIK_VOLUMEDOWN", "Volume Down"),
    row(0xB0, "DIK_VOLUMEUP", "Volume Up"),
    row(0xB2, "DIK_WEBHOME", "Web Home"),
    row(0xB3, "DIK_NUMPADCOMMA", "Numpad ,"),
    row(0xB5, "DIK_DIVIDE", "Numpad /"),
    row(0xB7, "DIK_SYSRQ", "Print Screen"),
    row(0xB8, "DIK_RMENU", "Right Alt"),
    row(0xC5, "DIK_PAUSE", "Pause"),
    row(0xC7, "DIK_HOME", "Home"),
    row(0xC8, "DIK_UP", "Up"),
    row(0xC9, "DIK_PRIOR", "Page Up"),
    row(0xCB, "DIK_LEFT", "Left"),
    row(0xCD, "DIK_RIGHT", "Right"),
    row(0xCF, "DIK_END", "End"),
    row(0xD0, "DIK_DOWN", "Down"),
    row(0xD1, "DIK_NEXT", "Page Down"),
    row(0xD2, "DIK_INSERT", "Insert"),
    row(0xD3, "DIK_DELETE", "Delete"),
    row(0xDB, "DIK_LWIN", "Left Windows"),
    row(0xDC, "DIK_RWIN", "Right Windows"),
    row(0xDD, "DIK_APPS", "Menu"),
    row(0xDE, "DIK_POWER", "Power"),
    row(0xDF, "DIK_SLEEP", "Sleep"),
    row(0xE3, "DIK_WAKE", "Wake"),
    row(0xE5, "DIK_WEBSEARCH", "Web Search"),
    row(0xE6, "DIK_WEBFAVORITES", "Web Favorites"),
    row(0xE7, "DIK_WEBREFRESH", "Web Refresh"),
    row(0xE8, "DIK_WEBSTOP", "Web Stop"),
    row(0xE9, "DIK_WEBFORWARD", "Web Forward"),
    row(0xEA, "DIK_WEBBACK", "Web Back"),
    row(0xEB, "DIK_MYCOMPUTER", "My Computer"),
    row(0xEC, "DIK_MAIL", "Mail"),
    row(0xED, "DIK_MEDIASELECT", "Media Select"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_rise_and_names_are_unique() {
        assert!(KEYS.is_sorted_by(|left, right| left.code < right.code));
        let mut names: Vec<&str> = KEYS.iter().map(|key| key.constant).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), KEYS.len());
    }

    #[test]
    fn keys_are_found_by_code() {
        assert_eq!(key(0x1E).unwrap().constant, "DIK_A");
        assert_eq!(key(0x9C).unwrap().label, "Numpad Enter");
        assert_eq!(key(0), None);
        assert_eq!(key(0x11E), None);
    }
}
