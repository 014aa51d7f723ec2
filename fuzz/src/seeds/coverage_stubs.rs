//! Empty implementations of the callbacks that coverage instrumentation calls.

macro_rules! stubs {
    ($($name:ident($($argument:ident: $kind:ty),*)),+ $(,)?) => {
        $(
            #[unsafe(no_mangle)]
            extern "C" fn $name($($argument: $kind),*) {
                let _ = ($($argument,)*);
            }
        )+
    };
}

stubs! {
    __sanitizer_cov_8bit_counters_init(start: usize, end: usize),
    __sanitizer_cov_pcs_init(start: usize, end: usize),
    __sanitizer_cov_trace_cmp1(left: u8, right: u8),
    __sanitizer_cov_trace_cmp2(left: u16, right: u16),
    __sanitizer_cov_trace_cmp4(left: u32, right: u32),
    __sanitizer_cov_trace_cmp8(left: u64, right: u64),
    __sanitizer_cov_trace_const_cmp1(left: u8, right: u8),
    __sanitizer_cov_trace_const_cmp2(left: u16, right: u16),
    __sanitizer_cov_trace_const_cmp4(left: u32, right: u32),
    __sanitizer_cov_trace_const_cmp8(left: u64, right: u64),
    __sanitizer_cov_trace_pc_indir(to: usize),
    __sanitizer_cov_trace_switch(value: u64, cases: usize),
}
